import { randomUUID } from 'node:crypto'
import { type Db, statement } from '../../db/db.ts'
import { auditInsert } from '../audit-insert.ts'
import { bindingOf, makeCookie } from '../http/browser-cookie.ts'
import type { Caller } from '../http/caller.ts'

/** One signed-in device: what its tokens are made from. */
export interface Session {
  id: string
  userId: string
  aal: string
  /** How the person proved who they are: `[{ method, timestamp }]`, in seconds. */
  amr: unknown
  refreshCounter: number
}

/** A session that has just begun. */
export interface OpenedSession extends Session {
  /** What the browser must keep and show from now on; null where the session is not bound to one. */
  cookie: string | null
}

export const SESSION_COLUMNS = `sessions.id, sessions.user_id as "userId", sessions.aal, sessions.amr,
  sessions.refresh_counter as "refreshCounter"`

/** SQL: a row of auth.sessions may still be used at `:now`: 90 days in all, 30 days without a refresh. */
export const IS_USABLE = `(sessions.not_after > :now::timestamptz
    and sessions.refreshed_at > :now::timestamptz - interval '30 days')`

/** SQL: the owner of a row of auth.sessions is blocked at `:now`. */
export const IS_BANNED = `exists (
    select from auth.users where users.id = sessions.user_id and users.banned_until > :now::timestamptz)`

/** SQL: a row of auth.sessions may be used with the cookie of `:binding`. */
export const IS_BOUND = '(sessions.binding is null or sessions.binding is not distinct from :binding::bytea)'

/**
 * SQL: a row of auth.sessions is that of a Holder (`:sessionId`, `:userId`, `:binding`) and may be used at `:now`. To be
 * the condition of every statement that acts for a person.
 */
export const IS_HOLDERS = `(sessions.id = :sessionId and sessions.user_id = :userId and ${IS_USABLE} and ${IS_BOUND})`

/** SQL: a row of auth.sessions showed less than its owner asks for: they have a second factor, and it did not. */
export const NEEDS_AAL2 = `(sessions.aal = 'aal1' and exists (
  select from auth.mfa_factors where mfa_factors.user_id = sessions.user_id and mfa_factors.status = 'verified'))`

/*
 * The cookie of a browser stays the same while a session of the same person is bound to it, so that tabs which sign in
 * one after the other do not lock each other out. For anybody else it is a new one: who had the browser before knows
 * the old one.
 */
const open = statement(
  'auth.open-session',
  `with person as (
    update auth.users set last_sign_in_at = :now
    where id = :userId and encrypted_password = :passwordHash and (banned_until is null or banned_until <= :now) returning id
  ), identity as (
    update auth.identities set last_sign_in_at = :now where user_id = (select id from person)
  ), logged as (
    ${auditInsert({
      action: "'login'",
      userId: 'id',
      detail: "jsonb_build_object('method', :method::text)",
      from: 'person',
    })}
  )
  insert into auth.sessions
    (id, user_id, amr, created_at, refreshed_at, proven_at, not_after, user_agent, ip, binding)
  select :id, id, :amr, :now, :now, :now, :now::timestamptz + interval '90 days', :userAgent, :ip, case when exists (
      select from auth.sessions where user_id = :userId and binding = :heldBinding::bytea and ${IS_USABLE}
    ) then :heldBinding::bytea else :freshBinding::bytea end
  from person
  returning ${SESSION_COLUMNS}, binding is not distinct from :heldBinding::bytea as "keepsCookie"`,
)

export interface Proof {
  userId: string
  /** The password that the account had when the proof was given. */
  passwordHash: string
  /** What the person has shown; `password` if not said. */
  method?: 'password' | 'recovery' | 'email_change'
}

/**
 * Opens a session for who has just shown the password behind `passwordHash`, or the link of a mail. Null if the account
 * is gone, blocked or has another password by now: checking takes a while, and the account may change under it.
 */
export async function openSession(
  db: Db,
  { userId, passwordHash, method = 'password' }: Proof,
  { browser, ip, userAgent }: Caller,
  now: Date,
): Promise<OpenedSession | null> {
  const amr = JSON.stringify([{ method, timestamp: Math.floor(now.getTime() / 1000) }])
  const held = browser.isOnOurPages ? browser.cookie : null
  const fresh = browser.isOnOurPages ? makeCookie() : null
  const values = {
    id: randomUUID(),
    userId,
    now,
    passwordHash,
    amr,
    userAgent,
    ip,
    heldBinding: bindingOf(held),
    freshBinding: bindingOf(fresh),
    method,
  }
  const [session] = await db.query<Session & { keepsCookie: boolean }>(open, values)
  return session ? { ...session, cookie: session.keepsCookie ? held : fresh } : null
}
