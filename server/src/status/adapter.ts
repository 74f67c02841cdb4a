import type { StatusPart } from '@deeb/core/status/systems'

/** The status of a person in a chat: a text with its emoji, or a state such as `dnd`. `until` is in ISO 8601, null for no end. */
export interface Shown {
  text: string
  emoji?: string
  until: string | null
  /** The chat does not tell whether what deeb has set is there, as for a person who is offline. */
  isUnknown?: true
}

/** The tokens of a link. They are stored encrypted. */
export interface Credentials {
  accessToken: string
  refreshToken?: string
  /** The time at which `accessToken` expires, in ms since 1970; absent if it does not. */
  expiresAtMs?: number
  /** The server that the person typed, as an origin. */
  server?: string
  /** The address with which the person signs in there. */
  email?: string
}

/** A link as an adapter uses it. */
export interface Account {
  accountId: string
  credentials: Credentials
}

/** A status to set, until then. The texts of the reconciler are at most 80 characters long. */
export interface Wanted {
  text: string
  until: Date
  now: Date
}

/** One thing that deeb sets in a chat system. Its calls throw `ChatError`. */
export interface SignalAdapter {
  /** The rate limit for one workspace: below the published one, with room for the `burst`. */
  perMinute: number
  burst: number
  /** Reads what the chat shows now. Null: nothing that setting the status would overwrite. */
  read(account: Account): Promise<Shown | null>
  /** Returns what `on` is going to show. It recognizes it again after a crash. */
  plan(wanted: Wanted): Shown
  on(account: Account, wanted: Wanted): Promise<Shown>
  /** Shows `before` again, or nothing. It is called only while the chat shows what `on` has set. */
  off(account: Account, before: Shown | null, now: Date): Promise<void>
}

/** The account and workspace that a person has connected. */
export interface Identity {
  accountId: string
  accountName: string | null
  workspace: string
  workspaceName: string | null
  credentials: Credentials
}

/** A chat system of OAuth. */
export interface OAuth {
  /** The address at which a person agrees. */
  authorizeUrl(flow: { redirectUri: string; state: string; challenge: string }): string
  /** Exchanges the code of the redirect. Throws `ChatError`, `relink` for a code or scopes that do not fit. */
  exchange(answer: { code: string; redirectUri: string; verifier: string; now: Date }): Promise<Identity>
  /** New tokens for a link, if its access token expires. */
  refresh?(credentials: Credentials, now: Date): Promise<Credentials>
}

/** A chat system: how it is connected, and what deeb sets there. */
export interface Adapter {
  parts: Partial<Record<StatusPart, SignalAdapter>>
  oauth?: OAuth
  /** Finds out whose token this is. Throws `ChatError`. */
  identify?(credentials: Credentials): Promise<Identity>
  /** Revokes the tokens of a link, where the system can. */
  revoke?(account: Account): Promise<void>
}

const MAX_REASON_CHARACTERS = 100

/**
 * Why a call of a chat system failed. `retry`: it may work later, not before `afterSeconds`. `relink`: the tokens are refused, so the
 * person has to connect again. `give up`: no retry helps, such as a missing permission.
 */
export class ChatError extends Error {
  readonly advice: 'retry' | 'relink' | 'give up'
  readonly afterSeconds: number

  constructor(advice: ChatError['advice'], message: string, afterSeconds = 0) {
    // It can be a text of a server that a person typed, and is logged.
    super(message.slice(0, MAX_REASON_CHARACTERS))
    this.advice = advice
    this.afterSeconds = afterSeconds
  }
}

export function isoOrNull(seconds: number | undefined): string | null {
  return seconds ? new Date(seconds * 1000).toISOString() : null
}
