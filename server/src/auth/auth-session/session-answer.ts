import type { AuthDeps } from '../auth-deps.ts'
import { readUser, userAnswer } from '../user/user.ts'
import { ACCESS_TOKEN_SECONDS } from './access-token.ts'
import type { AuthSession, OpenedAuthSession } from './auth-session.ts'
import { writeRefreshToken } from './refresh-token.ts'

/**
 * The response for an auth session: tokens and user, as auth-js reads them, and the cookie to set, if any. Call it after the
 * commit. It has no `expires_at`, so that auth-js computes it with the device's clock: a wrong clock then causes no refresh loop.
 */
export async function sessionAnswer(auth: AuthDeps, session: AuthSession | OpenedAuthSession, now: Date) {
  const user = await readUser(auth.db, session.userId)
  // The account was deleted concurrently, with its auth sessions. A retry gets the right error.
  if (!user) throw new Error('The account was deleted during this request.')
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
