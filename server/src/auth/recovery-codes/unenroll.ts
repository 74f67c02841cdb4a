import { statement } from '../../db/db.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_BANNED, IS_PRINCIPALS, NEEDS_AAL2 } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { IS_PROVEN, requireRights } from '../proof.ts'
import { withUserLock } from '../user/user-lock.ts'

/* Auth sessions that a code opened stay: their owner may have lost the app, and would be locked out. */
const remove = statement(
  'auth.unenroll-recovery-codes',
  `with own as (
    select user_id, ${NEEDS_AAL2} as needs_aal2, ${IS_PROVEN} as is_proven from auth.sessions
    where ${IS_PRINCIPALS} and not ${IS_BANNED}
  ), factor as (
    select id from auth.mfa_factors join own using (user_id) where factor_type = 'recovery_code'
  ), gone as (
    delete from auth.mfa_factors using own, factor where mfa_factors.id = factor.id and not needs_aal2 and is_proven
    returning mfa_factors.id, mfa_factors.user_id
  ), logged as (
    ${auditInsert({ action: "'mfa_removed'", userId: 'user_id', detail: "jsonb_build_object('factor', id)", from: 'gone' })}
  )
  select needs_aal2 as "needsAal2", is_proven as "isProven", (select id from factor) as "factorId" from own`,
)

/**
 * Removes all recovery codes. Throws `session_not_found`, `mfa_factor_not_found`, `insufficient_aal` and
 * `reauthentication_needed`.
 */
export async function unenrollCodes(
  auth: AuthDeps,
  { sessionId, userId, binding }: Principal,
  { caller: { ip }, now }: Call,
): Promise<{ id: string }> {
  const values = { sessionId, userId, binding, now, ip }
  const [own] = await withUserLock(auth.db, userId, (db) =>
    db.query<{ needsAal2: boolean; isProven: boolean; factorId: string | null }>(remove, values),
  )
  if (!own) throw new AuthError('session_not_found')
  if (own.factorId === null) throw new AuthError('mfa_factor_not_found')
  requireRights(own)
  return { id: own.factorId }
}
