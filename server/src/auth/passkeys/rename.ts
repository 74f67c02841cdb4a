import { maxCharacters } from '@deeb/core/formats'
import * as v from 'valibot'
import { statement } from '../../db/db.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_BANNED, IS_PRINCIPALS, NEEDS_AAL2 } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'
import { PASSKEY, type Passkey } from './passkey.ts'

/** 1 to 120 characters, all visible: two names that look the same would hide a passkey of somebody else. */
export const RenameInput = v.object({
  friendly_name: v.pipe(v.string(), v.trim(), v.minLength(1), maxCharacters(120), v.regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u)),
})

const rename = statement(
  'auth.rename-passkey',
  `with own as (
    select user_id, ${NEEDS_AAL2} as needs_aal2 from auth.sessions where ${IS_PRINCIPALS} and not ${IS_BANNED}
  ), renamed as (
    update auth.webauthn_credentials set friendly_name = :name, updated_at = :now from own
    where webauthn_credentials.id = :passkeyId and webauthn_credentials.user_id = own.user_id and not needs_aal2
    returning ${PASSKEY} as passkey
  )
  select needs_aal2 as "needsAal2", (select passkey from renamed) as passkey from own`,
)

/** Renames a passkey. Throws `session_not_found`, `insufficient_aal` and `webauthn_credential_not_found`. */
export async function renamePasskey(
  { db }: AuthDeps,
  { sessionId, userId, binding }: Principal,
  passkeyId: string,
  { friendly_name: name }: v.InferOutput<typeof RenameInput>,
  now: Date,
): Promise<Passkey> {
  const values = { sessionId, userId, binding, now, passkeyId, name }
  const [own] = await db.query<{ needsAal2: boolean; passkey: Passkey | null }>(rename, values)
  if (!own) throw new AuthError('session_not_found')
  if (own.needsAal2) throw new AuthError('insufficient_aal', { status: 403 })
  if (!own.passkey) throw new AuthError('webauthn_credential_not_found')
  return own.passkey
}
