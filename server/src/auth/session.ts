import { randomUUID } from 'node:crypto'
import { type Db, statement } from '../db/db.ts'
import type { Caller } from './door/caller.ts'

/** One signed-in device: what its tokens are made from. */
export interface Session {
  id: string
  userId: string
  aal: string
  /** How the person proved who they are: `[{ method, timestamp }]`, in seconds. */
  amr: unknown
  refreshCounter: number
}

export const SESSION_COLUMNS = `sessions.id, sessions.user_id as "userId", sessions.aal, sessions.amr,
  sessions.refresh_counter as "refreshCounter"`

/** SQL: a row of auth.sessions may still be used at `now`, a parameter: 90 days in all, 30 days without a refresh. */
export function usableAt(now: string): string {
  return `(sessions.not_after > ${now}::timestamptz
    and sessions.refreshed_at > ${now}::timestamptz - interval '30 days')`
}

/** SQL: the owner of a row of auth.sessions is blocked at `now`, a parameter. */
export function bannedAt(now: string): string {
  return `exists (
    select from auth.users where users.id = sessions.user_id and users.banned_until > ${now}::timestamptz)`
}

const open = statement(
  'auth.open-session',
  `with person as (
    update auth.users set last_sign_in_at = $3 where id = $2 and encrypted_password = $4 returning id
  ), identity as (
    update auth.identities set last_sign_in_at = $3 where user_id = (select id from person)
  ), logged as (
    insert into auth.audit_log (at, action, user_id, ip) select $3, 'login', id, $7 from person
  )
  insert into auth.sessions (id, user_id, amr, created_at, refreshed_at, not_after, user_agent, ip)
  select $1, id, $5, $3, $3, $3::timestamptz + interval '90 days', $6, $7 from person
  returning ${SESSION_COLUMNS}`,
)

/**
 * Opens a session for who has just shown the password behind `passwordHash`. Null if the account is gone or has another
 * password by now: checking takes a while, and the account may change under it.
 */
export async function openSession(
  db: Db,
  { userId, passwordHash }: { userId: string; passwordHash: string },
  caller: Caller,
  now: Date,
): Promise<Session | null> {
  const amr = JSON.stringify([{ method: 'password', timestamp: Math.floor(now.getTime() / 1000) }])
  const values = [randomUUID(), userId, now, passwordHash, amr, caller.userAgent, caller.ip]
  const [session] = await db.query<Session>(open, values)
  return session ?? null
}
