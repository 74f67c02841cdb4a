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
