import { statement } from '../../db/db.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_BANNED, IS_PRINCIPALS } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'
import { USER_COLUMNS, type User, userAnswer } from './user.ts'

const read = statement(
  'auth.current-user',
  `select ${USER_COLUMNS}, ${IS_BANNED} as "isBanned"
  from auth.sessions join auth.users on users.id = sessions.user_id
  where ${IS_PRINCIPALS}`,
)

/** Returns the user of an access token, as auth-js reads it. Throws `session_not_found` and `user_banned`. */
export async function currentUser(auth: AuthDeps, { sessionId, userId, binding }: Principal, now: Date) {
  const [user] = await auth.db.query<User & { isBanned: boolean }>(read, { sessionId, userId, now, binding })
  if (!user) {
    auth.sessionAlive.evict(sessionId)
    throw new AuthError('session_not_found')
  }
  if (user.isBanned) throw new AuthError('user_banned', { status: 403 })
  return userAnswer(user)
}
