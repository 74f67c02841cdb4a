import { statement } from '../../db/db.ts'
import type { Bearer } from '../access-token.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { AuthError } from '../door/auth-error.ts'
import { bannedAt, usableAt } from '../session.ts'
import { USER_COLUMNS, USER_TABLES, type User, userAnswer } from '../user.ts'

const read = statement(
  'auth.current-user',
  `select ${USER_COLUMNS}, ${bannedAt('$3')} as "isBanned"
  from auth.sessions join (${USER_TABLES}) on users.id = sessions.user_id
  where sessions.id = $1 and sessions.user_id = $2 and ${usableAt('$3')}`,
)

/** The person behind an access token. Throws `session_not_found` and `user_banned`. */
export async function currentUser(auth: AuthDeps, { sessionId, userId }: Bearer, now: Date) {
  const [user] = await auth.db.query<User & { isBanned: boolean }>(read, [sessionId, userId, now])
  if (!user) {
    auth.sessionAlive.forget(sessionId)
    throw new AuthError('session_not_found')
  }
  if (user.isBanned) throw new AuthError('user_banned', { status: 403 })
  return userAnswer(user)
}
