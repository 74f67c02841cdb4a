import * as z from 'zod/mini'
import { type Db, statement } from '../../db/db.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { AuthError } from '../door/auth-error.ts'
import type { Caller } from '../door/caller.ts'
import { type RefreshToken, readRefreshToken } from '../refresh-token.ts'
import { bannedAt, SESSION_COLUMNS, type Session, usableAt } from '../session.ts'
import { sessionAnswer } from '../session-answer.ts'

export const RefreshInput = z.object({ refresh_token: z.string() })

/** Tabs race each other and answers get lost: for so long the token before the newest one is still answered. */
const GRACE_SECONDS = 60

/* Of any number that come with the same token at once, the counter lets exactly one through. */
const rotate = statement(
  'auth.rotate',
  `update auth.sessions set refresh_counter = refresh_counter + 1, refreshed_at = $3, user_agent = $4, ip = $5
  where id = $1 and refresh_counter = $2 and ${usableAt('$3')} and not ${bannedAt('$3')}
  returning ${SESSION_COLUMNS}`,
)

const look = statement(
  'auth.look-at-session',
  `select ${SESSION_COLUMNS}, not ${usableAt('$2')} as "isOver", ${bannedAt('$2')} as "isBanned",
    refreshed_at > $2::timestamptz - interval '${GRACE_SECONDS} seconds' as "inGrace"
  from auth.sessions where id = $1`,
)

const endForReuse = statement(
  'auth.end-for-reuse',
  `with ended as (delete from auth.sessions where id = $1 returning user_id)
  insert into auth.audit_log (at, action, user_id, ip, detail)
  select $2, 'refresh_reuse', user_id, $3, jsonb_build_object('session', $1::uuid) from ended`,
)

interface SessionSeen extends Session {
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
 * A client deletes its session on any 4xx, so there is one only for a token that is dead: `refresh_token_not_found`,
 * `session_expired`, `user_banned`, `refresh_token_already_used`.
 */
export async function refresh(auth: AuthDeps, input: z.output<typeof RefreshInput>, caller: Caller, now: Date) {
  const token = readRefreshToken(auth.keys.refreshKey, input.refresh_token)
  if (!token) throw new AuthError('refresh_token_not_found')
  const values = [token.sessionId, token.counter, now, caller.userAgent, caller.ip]
  const [rotated] = await auth.db.query<Session>(rotate, values)
  return sessionAnswer(auth, rotated ?? (await sameChild(auth, token, caller, now)), now)
}

/** The session whose newest token was made from `token` a moment ago. Throws what is wrong otherwise. */
async function sameChild(auth: AuthDeps, token: RefreshToken, caller: Caller, now: Date): Promise<Session> {
  const session = await lookAtSession(auth.db, token.sessionId, now)
  if (!session) throw new AuthError('refresh_token_not_found')
  if (session.isBanned) throw new AuthError('user_banned')
  if (session.isOver) throw new AuthError('session_expired')
  if (session.refreshCounter === token.counter + 1 && session.inGrace) return session
  // Two hold the same token and one of them is not its owner: neither goes on.
  await auth.db.query(endForReuse, [session.id, now, caller.ip])
  auth.sessionAlive.forget(session.id)
  throw new AuthError('refresh_token_already_used')
}

async function lookAtSession(db: Db, sessionId: string, now: Date): Promise<SessionSeen | undefined> {
  const [session] = await db.query<SessionSeen>(look, [sessionId, now])
  return session
}
