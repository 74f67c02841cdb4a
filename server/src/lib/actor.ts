import type { Scope } from '@deeb/core/scopes'

/** The user of a call, authenticated by the access token of a sign-in or by a personal access token. */
export interface Actor {
  userId: string
  /** The scopes of a personal access token. Undefined for a sign-in, which may do everything. */
  scopes?: readonly Scope[]
}

/** The same with the auth session and the end of its access token, which limit a live stream. For a personal access token: its id and end. */
export interface SignedInActor extends Actor {
  sessionId: string
  /** The time at which its access token expires. */
  tokenEndsAtMs: number
}
