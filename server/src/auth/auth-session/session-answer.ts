import type { AuthDeps } from '../auth-deps.ts'
import { readUser, userAnswer } from '../user/user.ts'
import { ACCESS_TOKEN_SECONDS } from './access-token.ts'
import type { OpenedSession, Session } from './auth-session.ts'
import { writeRefreshToken } from './refresh-token.ts'

/**
 * The tokens of a session and its user, as auth-js reads them. Without `expires_at`: auth-js then works it out by the
 * device's clock, and a device whose clock is wrong does not refresh all the time. With them the cookie that the answer
 * has to set, if any. Call it after the commit.
 */
export async function sessionAnswer(auth: AuthDeps, session: Session | OpenedSession, now: Date) {
  const user = await readUser(auth.db, session.userId)
  // Gone since the session was read, and the session with it: asked again, the client learns that.
  if (!user) throw new Error('The account was deleted while it was answered with.')
  const { id: sessionId, userId, aal, amr, refreshCounter } = session
  const { email, appMetadata, userMetadata } = user
  const claims = { userId, sessionId, email, appMetadata, userMetadata, aal, amr }
  const body = {
    access_token: await auth.accessTokens.sign(claims, now),
    token_type: 'bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: writeRefreshToken(auth.keys.refreshKey, { sessionId, counter: refreshCounter }),
    user: userAnswer(user),
  }
  return { body, cookie: 'cookie' in session ? session.cookie : null }
}

export type SessionAnswer = Awaited<ReturnType<typeof sessionAnswer>>
