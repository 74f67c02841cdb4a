import * as z from 'zod/mini'
import { type Db, statement } from '../../db/db.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { IS_BANNED, IS_BOUND, IS_USABLE, SESSION_COLUMNS, type Session } from '../auth-session/auth-session.ts'
import { type RefreshToken, readRefreshToken } from '../auth-session/refresh-token.ts'
import { sessionAnswer } from '../auth-session/session-answer.ts'
import { AuthError } from '../http/auth-error.ts'
import { bindingOf } from '../http/browser-cookie.ts'
import type { Caller } from '../http/caller.ts'

export const RefreshInput = z.object({ refresh_token: z.string() })

/** Tabs race each other and answers get lost: for so long the token before the newest one is still answered. */
const GRACE_SECONDS = 60

/* Of any number that come with the same token at once, the counter lets exactly one through. */
const rotate = statement(
  'auth.rotate',
  `update auth.sessions set refresh_counter = refresh_counter + 1, refreshed_at = :now, user_agent = :userAgent, ip = :ip
  where id = :sessionId and refresh_counter = :counter and ${IS_USABLE} and ${IS_BOUND} and not ${IS_BANNED}
  returning ${SESSION_COLUMNS}`,
)

const look = statement(
  'auth.look-at-session',
  `select ${SESSION_COLUMNS}, not ${IS_USABLE} as "isOver", ${IS_BANNED} as "isBanned", not ${IS_BOUND} as "isStolen",
    refreshed_at > :now::timestamptz - interval '${GRACE_SECONDS} seconds' as "inGrace"
  from auth.sessions where id = :sessionId`,
)

const endAsStolen = statement(
  'auth.end-as-stolen',
  `with ended as (delete from auth.sessions where id = :sessionId returning user_id)
  ${auditInsert({
    action: ':why',
    userId: 'user_id',
    detail: "jsonb_build_object('session', :sessionId::uuid)",
    from: 'ended',
  })}`,
)

interface SessionSeen extends Session {
  /** The token came without the cookie of the browser it was given to. */
  isStolen: boolean
  isOver: boolean
  isBanned: boolean
  inGrace: boolean
}

/**
 * The next pair of tokens. Each refresh token counts once; repeated within 60 seconds it gives the same child.
 *
 *     counter   n (given in)      n + 1 (child)       n + 2
 *               |- rotated ------>|- rotated -------->|
 *     n again:  same child for 60 s, then reuse       reuse: the session ends
 *
 * From another browser than the one it was given to, the session ends too.
 *
 * A client deletes its session on any 4xx, so there is one only for a token that is dead: `refresh_token_not_found`,
 * `session_expired`, `user_banned`, `refresh_token_already_used`. Too many are a 503.
 */
export async function refresh(auth: AuthDeps, input: z.output<typeof RefreshInput>, caller: Caller, now: Date) {
  const token = readRefreshToken(auth.keys.refreshKeys, input.refresh_token)
  if (!token) {
    await auth.limits.takeForgedRefresh(caller, now)
    throw new AuthError('refresh_token_not_found')
  }
  return auth.limits.refresh.limit(token.sessionId, now, () => rotateOrRepeat(auth, token, caller, now))
}

async function rotateOrRepeat(auth: AuthDeps, token: RefreshToken, caller: Caller, now: Date) {
  const binding = bindingOf(caller.browser.cookie)
  const values = {
    sessionId: token.sessionId,
    counter: token.counter,
    now,
    userAgent: caller.userAgent,
    ip: caller.ip,
    binding,
  }
  const [rotated] = await auth.db.query<Session>(rotate, values)
  return sessionAnswer(auth, rotated ?? (await sameChild(auth, token, binding, caller, now)), now)
}

/** The session whose newest token was made from `token` a moment ago. Throws what is wrong otherwise. */
async function sameChild(
  auth: AuthDeps,
  token: RefreshToken,
  binding: Buffer | null,
  caller: Caller,
  now: Date,
): Promise<Session> {
  const session = await lookAtSession(auth.db, token.sessionId, binding, now)
  if (!session) throw new AuthError('refresh_token_not_found')
  if (session.isStolen) {
    await endSession(auth, session.id, 'binding_mismatch', caller, now)
    throw new AuthError('refresh_token_not_found')
  }
  if (session.isBanned) throw new AuthError('user_banned')
  if (session.isOver) throw new AuthError('session_expired')
  if (session.refreshCounter === token.counter + 1 && session.inGrace) return session
  // Two hold the same token and one of them is not its owner: neither goes on.
  await endSession(auth, session.id, 'refresh_reuse', caller, now)
  throw new AuthError('refresh_token_already_used')
}

async function lookAtSession(
  db: Db,
  sessionId: string,
  binding: Buffer | null,
  now: Date,
): Promise<SessionSeen | undefined> {
  const [session] = await db.query<SessionSeen>(look, { sessionId, now, binding })
  return session
}

async function endSession(
  auth: AuthDeps,
  sessionId: string,
  why: 'refresh_reuse' | 'binding_mismatch',
  caller: Caller,
  now: Date,
): Promise<void> {
  await auth.db.query(endAsStolen, { sessionId, now, ip: caller.ip, why })
  auth.sessionAlive.forget(sessionId)
}
