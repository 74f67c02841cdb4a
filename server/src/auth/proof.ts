import { statement } from '../db/db.ts'
import type { AuthDeps } from './auth-deps.ts'
import type { Principal } from './auth-session/access-token.ts'
import { IS_USABLE } from './auth-session/auth-session.ts'
import { PROVING_HASH } from './company/only-by-company.ts'
import { AuthError } from './http/auth-error.ts'

/** Re-authentication is valid this long. A sign-in counts as one. */
const FRESH_MINUTES = 15

/** SQL: when the re-authentication of a row of auth.sessions expires or expired; null if there was none. */
export const PROVEN_UNTIL = `(sessions.proven_at + interval '${FRESH_MINUTES} minutes')`

/** SQL: a row of auth.sessions has a recent re-authentication. Adding or removing a way to sign in needs it. */
export const IS_PROVEN = `coalesce(${PROVEN_UNTIL} > :now::timestamptz, false)`

/** Whether a re-authentication is recent; null for none. */
export function isFresh(provenAt: Date | null, now: Date): boolean {
  return provenAt !== null && now.getTime() - provenAt.getTime() < FRESH_MINUTES * 60_000
}

/** The rights of an auth session, from NEEDS_AAL2 and IS_PROVEN. */
interface Rights {
  needsAal2: boolean
  isProven: boolean
}

/**
 * Requires the rights to add or remove a way to sign in. Throws `insufficient_aal` in an `aal1` auth session of an account with a
 * second factor, and `reauthentication_needed` without a recent re-authentication.
 */
export function requireRights({ needsAal2, isProven }: Rights): void {
  if (needsAal2) throw new AuthError('insufficient_aal', { status: 403 })
  if (!isProven) throw new AuthError('reauthentication_needed')
}

const read = statement('auth.password-to-prove', `select ${PROVING_HASH} as hash from auth.users where id = :userId`)

const stamp = statement(
  'auth.stamp-proof',
  `update auth.sessions set proven_at = :now from auth.users
  where sessions.id = :sessionId and sessions.user_id = :userId and ${IS_USABLE}
    and users.id = sessions.user_id and encrypted_password = :passwordHash
  returning sessions.id`,
)

/**
 * Re-authenticates an auth session by the password of its user. Returns when this expires; null if the password is wrong or the
 * account has none. Throws `over_request_rate_limit`: it has the rate limit of the current password, which prevents brute force.
 */
export async function proveByPassword(
  { db, limits, passwords }: AuthDeps,
  { sessionId, userId }: Pick<Principal, 'sessionId' | 'userId'>,
  password: string,
  now: Date,
): Promise<Date | null> {
  const [user] = await db.query<{ hash: string | null }>(read, { userId })
  if (!user) return null
  const isRight = await limits.guessCurrentPassword(userId, now, () => passwords.verify(user.hash, password))
  if (!isRight) return null
  const [proven] = await db.query(stamp, { sessionId, userId, now, passwordHash: user.hash })
  return proven ? new Date(now.getTime() + FRESH_MINUTES * 60_000) : null
}
