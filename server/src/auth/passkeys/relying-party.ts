import { isIP } from 'node:net'
import { AuthError } from '../http/auth-error.ts'

/** This server, as WebAuthn identifies it. A passkey belongs to the id and works on no other host. */
export interface RelyingParty {
  id: string
  /** The only origin whose pages may use its passkeys. */
  origin: string
}

/** The relying party of a server; null where browsers support no passkeys: without https, or at an IP address. */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return !isAddress && (isLocal || protocol === 'https:') ? { id: hostname, origin } : null
}

/** The same, but throws `passkey_disabled` instead. */
export function requireRelyingParty(publicUrl: string): RelyingParty {
  const party = relyingPartyOf(publicUrl)
  if (!party) throw new AuthError('passkey_disabled')
  return party
}
