import * as v from 'valibot'
import { statement } from '../../db/db.ts'
import { recoveryCodeUsedMail } from '../../mail/messages.ts'
import { mailParams, outboxInsert } from '../../mail/outbox-insert.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_BANNED, IS_PRINCIPALS } from '../auth-session/auth-session.ts'
import type { SessionAnswer } from '../auth-session/session-answer.ts'
import { type Methods, RAISE_LEVEL, RAISED, type Raised, raiseByCode, raiseParams } from '../factors/raise-level.ts'
import { recordWrongCode } from '../factors/wrong-code.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { hashCode, normalCode } from './recovery-code.ts'

export const VerifyRecoveryCodeInput = v.object({ code: v.string() })

const readOwner = statement(
  'auth.recovery-code-owner',
  `select sessions.amr, factor.id as "factorId" from auth.sessions
    left join auth.mfa_factors as factor on factor.user_id = sessions.user_id and factor_type = 'recovery_code'
  where ${IS_PRINCIPALS} and not ${IS_BANNED}`,
)

/* Each code counts once, also for concurrent requests: the update has no row for a used one. */
const spend = statement(
  'auth.spend-recovery-code',
  `with factor as (
    update auth.mfa_recovery_codes set used_at = :now from auth.mfa_factors
    where mfa_factors.id = :factorId and mfa_factors.user_id = :userId and factor_id = mfa_factors.id
      and code_hash = any(:hashes::bytea[]) and used_at is null
    returning mfa_factors.id, mfa_factors.user_id
  ), ${RAISE_LEVEL}, mailed as (
    ${outboxInsert({ recipient: 'users.email', from: 'factor join auth.users on users.id = factor.user_id' })}
  ), logged as (
    ${auditInsert({
      action: "'recovery_code_used'",
      userId: 'user_id',
      detail: "jsonb_build_object('factor', id)",
      from: 'factor',
    })}
  )
  ${RAISED}`,
)

/**
 * Verifies a recovery code in place of a code of the authenticator app, opens an `aal2` auth session and notifies the owner. All
 * `aal1` auth sessions of the user are revoked. A wrong code counts as a wrong code of the app. Too many of them block the app's
 * codes only: a recovery code cannot be guessed, and it is for owners whom a thief with their password has blocked.
 *
 * Throws `session_not_found`, `mfa_verification_failed` for a wrong or used code and without codes, and `over_request_rate_limit`.
 */
export async function verifyRecoveryCode(
  auth: AuthDeps,
  principal: Principal,
  { code }: v.InferOutput<typeof VerifyRecoveryCodeInput>,
  call: Call,
): Promise<SessionAnswer> {
  return raiseByCode(auth, principal, call.now, (db) => spendCode({ ...auth, db }, principal, normalCode(code), call))
}

/** Returns the new auth session, or null for a wrong code. */
async function spendCode(
  { db, keys }: Pick<AuthDeps, 'db' | 'keys'>,
  principal: Principal,
  code: string | null,
  call: Call,
): Promise<Raised | null> {
  const { caller, now } = call
  const { sessionId, userId, binding } = principal
  const [own] = await db.query<{ amr: Methods; factorId: string | null }>(readOwner, {
    sessionId,
    userId,
    binding,
    now,
  })
  if (!own) throw new AuthError('session_not_found')
  const { amr, factorId } = own
  if (factorId === null) return null
  const hashes = code === null ? [] : keys.recoveryCodeKeys.map((key) => hashCode(key, factorId, code))
  const raise = raiseParams('mfa/recovery_code', amr, call)
  const values = {
    sessionId,
    userId,
    now,
    factorId,
    hashes,
    ...raise,
    ...mailParams(recoveryCodeUsedMail(), caller.language),
  }
  const [opened] = await db.query<Raised>(spend, values)
  if (!opened) await recordWrongCode(db, principal, factorId, call)
  return opened ?? null
}
