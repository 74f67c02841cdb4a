import { statement } from '../../db/db.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_BANNED, IS_PRINCIPALS } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'
import { PASSKEY, type Passkey } from './passkey.ts'

const read = statement(
  'auth.list-passkeys',
  `select coalesce((
    select json_agg(${PASSKEY} order by webauthn_credentials.created_at, webauthn_credentials.id)
    from auth.webauthn_credentials where webauthn_credentials.user_id = sessions.user_id), '[]') as passkeys
  from auth.sessions where ${IS_PRINCIPALS} and not ${IS_BANNED}`,
)

/** Lists the passkeys of the user, oldest first. Throws `session_not_found`. */
export async function listPasskeys(
  { db }: AuthDeps,
  { sessionId, userId, binding }: Principal,
  now: Date,
): Promise<Passkey[]> {
  const [own] = await db.query<{ passkeys: Passkey[] }>(read, { sessionId, userId, binding, now })
  if (!own) throw new AuthError('session_not_found')
  return own.passkeys
}
