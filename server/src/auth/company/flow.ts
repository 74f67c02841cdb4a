import { createHash, randomBytes } from 'node:crypto'
import type { NativeApp } from '../../config/native-origins.ts'
import { seal, tryUnseal } from '../factors/seal.ts'

/** A sign-in must return from the provider within this time. */
export const FLOW_SECONDS = 600

const CONTEXT = 'company-flow'

/** The state that this server needs when the browser returns from the provider. */
export interface Flow {
  /** 256 random bits, from which nonce and PKCE verifier derive. */
  secret: string
  providerId: string
  /** The PKCE challenge of our own client, S256. */
  codeChallenge: string
  /** SHA-256 of the flow cookie, base64url; null for a native app, whose browser has none of our cookies. */
  cookieHash: string | null
  app: NativeApp | null
  /** The client's own name for its verifier. */
  flowId: string | null
  /** The auth session whose account the identity is linked to; null for a sign-in. */
  linkingSessionId: string | null
  /** Whether the user must authenticate again at the provider. */
  isAgain: boolean
  /** In seconds since 1970. */
  expiresAt: number
}

/** Encrypts a flow as the `state` parameter. Nothing is stored until the provider has answered, however many flows begin. */
export function writeState(key: Buffer, flow: Flow): string {
  return seal(key, Buffer.from(JSON.stringify(flow)), CONTEXT).toString('base64url')
}

/** Decrypts a `state`. Null if none of `keys` encrypted it, or if it has expired. */
export function readState(keys: readonly Buffer[], state: string, now: Date): Flow | null {
  const text = tryUnseal(keys, Buffer.from(state, 'base64url'), CONTEXT)?.toString()
  const flow: Flow | null = text === undefined ? null : JSON.parse(text)
  return flow && now.getTime() < flow.expiresAt * 1000 ? flow : null
}

export function makeFlowSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The nonce that the ID token must contain, and the PKCE verifier for the provider. */
export function secretsOf({ secret }: Pick<Flow, 'secret'>): { nonce: string; verifier: string } {
  return { nonce: sha256(`nonce ${secret}`), verifier: sha256(`verifier ${secret}`) }
}

/** SHA-256 as base64url. It is the S256 challenge of a PKCE verifier, too. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
