import type { ChatSystem } from '@deeb/core/status/systems'
import { FLOW_SECONDS, makeFlowSecret, sha256 } from '../auth/company/flow.ts'
import { makeCookie } from '../auth/http/browser-cookie.ts'
import type { Keys } from '../config/keys.ts'
import { openJson, sealJson } from './credentials.ts'

const CONTEXT = 'status-flow'

/** The state that this server needs when the browser returns from a chat system. Nothing is stored until then. */
export interface LinkFlow {
  system: ChatSystem
  userId: string
  /** The auth session that connects: after a sign-out, the return connects nothing. */
  sessionId: string
  /** SHA-256 of the flow cookie: the state is of no use in another browser (login CSRF). */
  cookieHash: string
  /** 256 random bits, from which the PKCE verifier derives. */
  secret: string
  expiresAtMs: number
}

export const verifierOf = ({ secret }: Pick<LinkFlow, 'secret'>) => sha256(`verifier ${secret}`)

/** Begins a flow: its state for the address at the system, the PKCE challenge, and the flow cookie to set. */
export function beginFlow(
  keys: Pick<Keys, 'sealKeys'>,
  { flowCookie, ...owner }: Pick<LinkFlow, 'system' | 'userId' | 'sessionId'> & { flowCookie: string | null },
  now: Date,
) {
  const cookie = flowCookie ?? makeCookie()
  const secret = makeFlowSecret()
  const flow: LinkFlow = {
    ...owner,
    secret,
    cookieHash: sha256(cookie),
    expiresAtMs: now.getTime() + FLOW_SECONDS * 1000,
  }
  const state = sealJson(keys, CONTEXT, flow).toString('base64url')
  return { state, challenge: sha256(verifierOf(flow)), cookie }
}

/** The flow of a state, in the browser that began it. Null for a foreign, expired or changed one. */
export function openFlow(
  keys: Pick<Keys, 'sealKeys'>,
  { state, system, flowCookie }: { state: string; system: string; flowCookie: string | null },
  now: Date,
): LinkFlow | null {
  const flow = openJson<LinkFlow>(keys, CONTEXT, Buffer.from(state, 'base64url'))
  const isSameBrowser = flow !== null && flowCookie !== null && flow.cookieHash === sha256(flowCookie)
  return isSameBrowser && flow.system === system && now.getTime() < flow.expiresAtMs ? flow : null
}
