import * as v from 'valibot'
import { type Db, statement } from '../../db/db.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { type AuthSession, IS_BANNED, IS_BOUND, IS_USABLE, SESSION_COLUMNS } from '../auth-session/auth-session.ts'
import { type RefreshToken, readRefreshToken } from '../auth-session/refresh-token.ts'
import { sessionAnswer } from '../auth-session/session-answer.ts'
import { AuthError } from '../http/auth-error.ts'
import { bindingOf } from '../http/browser-cookie.ts'
import type { Call } from '../http/caller.ts'

export const RefreshInput = v.object({ refresh_token: v.string() })

/** The previous refresh token still works this long, because tabs race each other and responses get lost. */
const GRACE_SECONDS = 60

/* Rotation. The counter lets exactly one of several concurrent requests with the same token succeed. */
const rotate = statement(
  'auth.rotate',
  `update auth.sessions set refresh_counter = refresh_counter + 1, refreshed_at = :now, user_agent = :userAgent, ip = :ip
  where id = :sessionId and refresh_counter = :counter and ${IS_USABLE} and ${IS_BOUND} and not ${IS_BANNED}
  returning ${SESSION_COLUMNS}`,
)

const readSession = statement(
  'auth.read-refreshed-session',
  `select ${SESSION_COLUMNS}, not ${IS_USABLE} as "isExpired", ${IS_BANNED} as "isBanned", not ${IS_BOUND} as "isStolen",
    refreshed_at > :now::timestamptz - interval '${GRACE_SECONDS} seconds' as "inGrace"
  from auth.sessions where id = :sessionId`,
)

const revoke = statement(
  'auth.end-as-stolen',
  `with ended as (delete from auth.sessions where id = :sessionId returning user_id)
  ${auditInsert({
    action: ':why',
    userId: 'user_id',
    detail: "jsonb_build_object('session', :sessionId::uuid)",
    from: 'ended',
  })}`,
)

interface SessionState extends AuthSession {
  /** The token came without the cookie of the browser that it was issued to. */
  isStolen: boolean
  isExpired: boolean
  isBanned: boolean
  inGrace: boolean
}

/**
 * Refresh token rotation: exchanges a refresh token for the next pair of tokens. Idempotent for 60 seconds: a repeated token
 * returns the same next refresh token. After that, reuse detection revokes the auth session: a
 * stolen token is being replayed.
 *
 *     counter   n (sent)             n + 1 (next)        n + 2
 *               |- rotated --------->|- rotated -------->|
 *     n again:  same next for 60 s, then reuse           reuse: the auth session is revoked
 *
 * A token from another browser than the one it was issued to revokes the auth session too.
 *
 * Throws `refresh_token_not_found`, `session_expired`, `user_banned` and `refresh_token_already_used` only for a token that can
 * never work again, because a client deletes its auth session on any 4xx. The rate limit answers with a 503.
 */
export async function refresh(auth: AuthDeps, input: v.InferOutput<typeof RefreshInput>, call: Call) {
  const { caller, now } = call
  const token = readRefreshToken(auth.keys.refreshKeys, input.refresh_token)
  if (!token) {
    auth.limits.takeForgedRefresh(caller, now)
    throw new AuthError('refresh_token_not_found')
  }
  return auth.limits.refresh.limit(token.sessionId, now, () => rotateOrRepeat(auth, token, call))
}

async function rotateOrRepeat(auth: AuthDeps, token: RefreshToken, call: Call) {
  const { caller, now } = call
  const binding = bindingOf(caller.browser.cookie)
  const values = {
    sessionId: token.sessionId,
    counter: token.counter,
    now,
    userAgent: caller.userAgent,
    ip: caller.ip,
    binding,
  }
  const [rotated] = await auth.db.query<AuthSession>(rotate, values)
  return sessionAnswer(auth, rotated ?? (await repeatRotation(auth, token, binding, call)), now)
}

/** Handles a token that was not rotated: returns the auth session within the grace period, else throws the reason. */
async function repeatRotation(
  auth: AuthDeps,
  token: RefreshToken,
  binding: Buffer | null,
  call: Call,
): Promise<AuthSession> {
  const { now } = call
  const session = await readState(auth.db, token.sessionId, binding, now)
  if (!session) throw new AuthError('refresh_token_not_found')
  if (session.isStolen) {
    await revokeSession(auth, session.id, 'binding_mismatch', call)
    throw new AuthError('refresh_token_not_found')
  }
  if (session.isBanned) throw new AuthError('user_banned')
  if (session.isExpired) throw new AuthError('session_expired')
  if (session.refreshCounter === token.counter + 1 && session.inGrace) return session
  // Two clients have the same token and one of them may have stolen it: both are signed out.
  await revokeSession(auth, session.id, 'refresh_reuse', call)
  throw new AuthError('refresh_token_already_used')
}

async function readState(
  db: Db,
  sessionId: string,
  binding: Buffer | null,
  now: Date,
): Promise<SessionState | undefined> {
  const [session] = await db.query<SessionState>(readSession, { sessionId, now, binding })
  return session
}

async function revokeSession(
  auth: AuthDeps,
  sessionId: string,
  why: 'refresh_reuse' | 'binding_mismatch',
  { caller, now }: Call,
): Promise<void> {
  await auth.db.query(revoke, { sessionId, now, ip: caller.ip, why })
  auth.sessionAlive.invalidate(sessionId)
}
