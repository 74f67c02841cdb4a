import { statement } from '../../db/db.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_BANNED, IS_PRINCIPALS } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'

const read = statement(
  'auth.recovery-codes-status',
  `select factor.id, (select count(*)::int from auth.mfa_recovery_codes where factor_id = factor.id) as total,
    (select count(*)::int from auth.mfa_recovery_codes where factor_id = factor.id and used_at is null) as remaining
  from auth.sessions
    left join auth.mfa_factors as factor on factor.user_id = sessions.user_id and factor_type = 'recovery_code'
  where ${IS_PRINCIPALS} and not ${IS_BANNED}`,
)

/** Returns how many recovery codes of the user are left. Throws `session_not_found` and `mfa_factor_not_found`. */
export async function recoveryCodesStatus(
  { db }: AuthDeps,
  { sessionId, userId, binding }: Principal,
  now: Date,
): Promise<{ id: string; type: 'recovery_code'; total: number; remaining: number }> {
  const values = { sessionId, userId, binding, now }
  const [own] = await db.query<{ id: string | null; total: number; remaining: number }>(read, values)
  if (!own) throw new AuthError('session_not_found')
  const { id, total, remaining } = own
  if (id === null) throw new AuthError('mfa_factor_not_found')
  return { id, type: 'recovery_code', total, remaining }
}
