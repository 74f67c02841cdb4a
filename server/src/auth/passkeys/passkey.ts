import { AuthError } from '../http/auth-error.ts'

export const MAX_PASSKEYS = 10

/** A passkey as auth-js reads it. */
export interface Passkey {
  id: string
  friendly_name: string
  created_at: string
  /** Missing for a passkey that was never used. */
  last_used_at?: string
}

/** SQL: a row of auth.webauthn_credentials as a Passkey. */
export const PASSKEY = `json_strip_nulls(json_build_object('id', webauthn_credentials.id, 'friendly_name', friendly_name,
  'created_at', webauthn_credentials.created_at, 'last_used_at', last_used_at))`

/** The rights of an auth session for a change of passkeys. */
interface Rights {
  needsAal2: boolean
  isProven: boolean
}

/**
 * Throws `insufficient_aal` in an `aal1` auth session of an account with a second factor, and `reauthentication_needed` without a
 * recent proof.
 */
export function requireRights({ needsAal2, isProven }: Rights): void {
  if (needsAal2) throw new AuthError('insufficient_aal', { status: 403 })
  if (!isProven) throw new AuthError('reauthentication_needed')
}
