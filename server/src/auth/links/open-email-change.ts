import { randomUUID } from 'node:crypto'
import { moveProfile } from '../../account/move-profile.ts'
import { type Db, statement } from '../../db/db.ts'
import { emailChangedMail } from '../../mail/messages.ts'
import { lockAddress } from '../address/address-lock.ts'
import { hashLinkToken } from '../address/link-token.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { AuthError } from '../door/auth-error.ts'
import type { Caller } from '../door/caller.ts'
import { rememberAddress } from '../limits/known-addresses.ts'
import { type OpenedSession, openSession } from '../session.ts'
import { sessionAnswer } from '../session-answer.ts'

const look = statement(
  'auth.look-at-email-change',
  `select relates_to as email, coalesce(users.banned_until > $2, false) as "isBanned"
  from auth.one_time_tokens join auth.users on users.id = one_time_tokens.user_id
  where token_hash = $1 and token_type = 'email_change' and expires_at > $2
  -- A session that is being opened is waited for, so that it ends with the others.
  for update of users`,
)

/*
 * Every session ends, since whoever asked for the change need not be who reads the new mailbox. Who loses the old mailbox
 * learns of it there. Nothing but the link is spent if the address belongs to somebody by now.
 */
const move = statement(
  'auth.change-email',
  `with token as (
    delete from auth.one_time_tokens where token_hash = $1 and token_type = 'email_change' and expires_at > $2
    returning user_id, relates_to
  ), before as (
    select users.id, users.email from auth.users join token on token.user_id = users.id
  ), person as (
    update auth.users set email = token.relates_to, email_confirmed_at = $2, updated_at = $2 from token
    where users.id = token.user_id
      and not exists (select from auth.users as other where other.email = token.relates_to)
    returning users.id, users.email, users.encrypted_password
  ), former as (
    insert into auth.former_addresses (user_id, email, until)
    select before.id, before.email, $2 from before join person on person.id = before.id
    on conflict (user_id, email) do update set until = excluded.until
  ), identity as (
    update auth.identities set identity_data = identity_data || jsonb_build_object('email', person.email),
      updated_at = $2
    from person where identities.user_id = person.id and provider = 'email'
  ), waiting as (
    delete from auth.pending_signups using person where pending_signups.email = person.email
  ), other_links as (
    delete from auth.one_time_tokens using person where user_id = person.id and token_type <> 'email_change'
  ), ended as (
    delete from auth.sessions using person where user_id = person.id returning sessions.id
  ), mailed as (
    insert into auth.outbox (id, kind, recipient, subject, body, created_at, next_try_at)
    select $3, $4, before.email, $5, $6, $2, $2 from before join person on person.id = before.id
  ), logged as (
    insert into auth.audit_log (at, action, user_id, ip) select $2, 'email_changed', id, $7 from person
  )
  select id as "userId", email, encrypted_password as "passwordHash",
    coalesce((select array_agg(id::text) from ended), '{}') as ended
  from person`,
)

interface Moved {
  userId: string
  email: string
  passwordHash: string
  ended: string[]
}

/**
 * Gives an account the address to which a link was mailed: its company follows, every session ends and a new one begins.
 * Throws `otp_expired` for a link that is unknown, used, replaced or past 30 minutes, and in the same words if the
 * address has an owner by now; and `user_banned`.
 */
export async function openEmailChange(auth: AuthDeps, tokenHash: string, caller: Caller, now: Date) {
  const done = await auth.db.transaction((db) => changeEmail(db, auth, hashLinkToken(tokenHash), caller, now))
  if (!done) throw new AuthError('otp_expired')
  for (const id of done.ended) auth.sessionAlive.forget(id)
  for (const userId of done.disconnected) auth.announce({ kind: 'team', userId })
  auth.mailer.kick()
  return sessionAnswer(auth, done.session, now)
}

async function changeEmail(
  db: Db,
  { companyPolicy }: AuthDeps,
  tokenHash: Buffer,
  caller: Caller,
  now: Date,
): Promise<{ session: OpenedSession; ended: string[]; disconnected: string[] } | null> {
  const [link] = await db.query<{ email: string; isBanned: boolean }>(look, [tokenHash, now])
  if (!link) return null
  if (link.isBanned) throw new AuthError('user_banned', { status: 403 })
  // Whoever signs up with the address or moves to it at the same time waits, and then finds it taken.
  await lockAddress(db, link.email)
  const { kind, subject, body } = emailChangedMail()
  const [moved] = await db.query<Moved>(move, [tokenHash, now, randomUUID(), kind, subject, body, caller.ip])
  if (!moved) return null
  const disconnected = await moveProfile(db, moved, await companyPolicy())
  await rememberAddress(db, moved.userId, caller, now)
  const session = await openSession(db, { ...moved, method: 'email_change' }, caller, now)
  return session && { session, ended: moved.ended, disconnected }
}
