import { randomUUID } from 'node:crypto'
import { statement } from '../../db/db.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_BANNED, IS_PRINCIPALS } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'

export const CHALLENGE_MINUTES = 5

const challengeStatement = statement(
  'auth.challenge-factor',
  `with own as (
    select user_id from auth.sessions where ${IS_PRINCIPALS} and not ${IS_BANNED}
  ), factor as (
    select mfa_factors.id from auth.mfa_factors join own on own.user_id = mfa_factors.user_id
    where mfa_factors.id = :factorId and factor_type = 'totp'
  ), swept as (
    delete from auth.mfa_challenges using factor
    where factor_id = factor.id and created_at <= :now::timestamptz - interval '${CHALLENGE_MINUTES} minutes'
  ), made as (
    insert into auth.mfa_challenges (id, factor_id, ip, created_at) select :id, id, :ip, :now from factor returning id
  )
  select exists (select from own) as "isAlive", exists (select from made) as "isMade"`,
)

/**
 * Starts a challenge for a factor; it expires after five minutes. Throws `session_not_found`, `over_request_rate_limit`, and
 * `mfa_factor_not_found` also for a factor of another user.
 */
export async function challenge(auth: AuthDeps, principal: Principal, factorId: string, { caller, now }: Call) {
  const { sessionId, userId, binding } = principal
  auth.limits.takeTotp('challenge', sessionId, now)
  const id = randomUUID()
  const values = { sessionId, userId, now, binding, factorId, id, ip: caller.ip }
  const [done] = await auth.db.query<{ isAlive: boolean; isMade: boolean }>(challengeStatement, values)
  if (!done?.isAlive) throw new AuthError('session_not_found')
  if (!done.isMade) throw new AuthError('mfa_factor_not_found')
  const expiresAt = now.getTime() + CHALLENGE_MINUTES * 60_000
  return { id, type: 'totp', expires_at: Math.floor(expiresAt / 1000) }
}
