import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/db.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { type AuthSession, SESSION_COLUMNS } from '../auth-session/auth-session.ts'
import { type SessionAnswer, sessionAnswer } from '../auth-session/session-answer.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { withUserLock } from '../user/user-lock.ts'

/**
 * SQL: CTEs that replace the principal's auth session (`:sessionId`) by an aal2 one, so that tokens stolen before stay aal1
 * (session fixation), and revoke all aal1 ones of the user. They come after a CTE `factor` with the `id` and `user_id` of the factor
 * whose code was accepted; without a row they do nothing. RAISED selects their result. Parameters: those of `raiseParams`.
 */
export const RAISE_LEVEL = `ended as (
    delete from auth.sessions using factor
    where sessions.user_id = factor.user_id and (sessions.aal = 'aal1' or sessions.id = :sessionId)
    returning sessions.id, sessions.not_after, sessions.binding, sessions.failed_codes, sessions.sso_provider_id,
      sessions.sso_sid
  ), forgiven as (
    update auth.users set failed_codes = greatest(users.failed_codes - own.failed_codes, 0)
    from factor join ended as own on own.id = :sessionId where users.id = factor.user_id and own.failed_codes > 0
  ), opened as (
    insert into auth.sessions
      (id, user_id, aal, amr, factor_id, created_at, refreshed_at, proven_at, not_after, user_agent, ip, binding,
        sso_provider_id, sso_sid)
    select :newSessionId, factor.user_id, 'aal2', :amr, factor.id, :now, :now, :now, own.not_after, :userAgent, :ip,
      own.binding, own.sso_provider_id, own.sso_sid
    from factor join ended as own on own.id = :sessionId
    returning ${SESSION_COLUMNS}
  )`

export const RAISED = 'select opened.*, (select array_agg(id::text) from ended) as ended from opened'

/** The new auth session, and the ids of the revoked ones. */
export interface Raised extends AuthSession {
  ended: string[]
}

/** Authentication methods, newest first. */
export type Methods = { method: string; timestamp: number }[]

/** The methods of the new auth session are those of the old one with `method` first, as in GoTrue. */
export function raiseParams(
  method: 'totp' | 'mfa/recovery_code',
  before: Methods,
  { caller: { userAgent, ip }, now }: Call,
) {
  const code = { method, timestamp: Math.floor(now.getTime() / 1000) }
  const amr = JSON.stringify([code, ...before.filter((other) => other.method !== method)])
  return { newSessionId: randomUUID(), amr, userAgent, ip }
}

/**
 * Answers with the auth session that a right code opens in place of the principal's. `check` returns null for a wrong code. Throws
 * `mfa_verification_failed` for that, and `over_request_rate_limit`.
 */
export async function raiseByCode(
  auth: AuthDeps,
  { sessionId, userId }: Principal,
  now: Date,
  check: (db: Db) => Promise<Raised | null>,
): Promise<SessionAnswer> {
  auth.limits.takeTotp('verify', sessionId, now)
  // The row lock serializes concurrent codes of one user, so that each wrong code is counted.
  const opened = await withUserLock(auth.db, userId, check)
  auth.mailer.kick()
  if (!opened) throw new AuthError('mfa_verification_failed')
  for (const id of opened.ended) auth.sessionAlive.invalidate(id)
  return sessionAnswer(auth, opened, now)
}
