import { type Db, statement } from '../../db/db.ts'
import { emailChangedMail } from '../../mail/messages.ts'
import { mailParams, outboxInsert } from '../../mail/outbox-insert.ts'
import { moveProfile } from '../../profile/move-profile.ts'
import { lockAddress } from '../address/address-lock.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { IS_HOLDERS, type OpenedSession, openSession } from '../auth-session/auth-session.ts'
import { sessionAnswer } from '../auth-session/session-answer.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Caller } from '../http/caller.ts'
import type { Principal } from '../http/principal.ts'
import { rememberAddress } from '../limits/known-addresses.ts'
import type { Link } from '../links/find-link.ts'
import { hashLinkToken } from '../links/link-token.ts'
import { findOwned } from '../sign-in/sign-in.ts'
import { changingUser } from './user-lock.ts'

type ChangeLink = Link & { kind: 'email_change' }

const look = statement(
  'auth.look-at-email-change',
  `select coalesce(banned_until > :now, false) as "isBanned",
    exists (select from auth.sessions where ${IS_HOLDERS}) as "isHolders"
  from auth.users where id = :userId`,
)

/*
 * Every session ends, since whoever asked for the change need not be who reads the new mailbox. Who loses the old mailbox
 * learns of it there. Nothing but the link is spent if the address belongs to somebody by now.
 */
const move = statement(
  'auth.change-email',
  `with token as (
    delete from auth.one_time_tokens where token_hash = :tokenHash and token_type = 'email_change' and expires_at > :now
    returning user_id, relates_to
  ), before as (
    select users.id, users.email from auth.users join token on token.user_id = users.id
  ), person as (
    update auth.users set email = token.relates_to, email_confirmed_at = :now, updated_at = :now from token
    where users.id = token.user_id
      and not exists (select from auth.users as other where other.email = token.relates_to)
    returning users.id, users.email, users.encrypted_password
  ), former as (
    insert into auth.former_addresses (user_id, email, until)
    select before.id, before.email, :now from before join person on person.id = before.id
    on conflict (user_id, email) do update set until = excluded.until
  ), identity as (
    update auth.identities set identity_data = identity_data || jsonb_build_object('email', person.email),
      updated_at = :now
    from person where identities.user_id = person.id and provider = 'email'
  ), other_links as (
    delete from auth.one_time_tokens using person where user_id = person.id and token_type <> 'email_change'
  ), ended as (
    delete from auth.sessions using person where user_id = person.id returning sessions.id
  ), mailed as (
    ${outboxInsert({ recipient: 'before.email', from: 'before join person on person.id = before.id' })}
  ), logged as (
    ${auditInsert({ action: "'email_changed'", userId: 'id', from: 'person' })}
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

/** What is shown beside the link: the live auth session that opens it, else the password of the account. */
interface Shown {
  opener: Principal | null
  password: string | undefined
}

/**
 * Gives an account the address to which a link was mailed: its company follows, every session ends and a new one begins.
 * Whoever reads the new mailbox need not own the account, so the link takes the account's session or its password too.
 * Throws `otp_expired` for a link that was used or replaced meanwhile, and in the same words if the address has an owner by
 * now; `reauthentication_needed`; `user_banned`; and for the password what a sign-in throws.
 */
export async function openEmailChange(
  auth: AuthDeps,
  token: string,
  link: ChangeLink,
  { opener, password }: Shown,
  caller: Caller,
  now: Date,
) {
  if (!opener) await requirePassword(auth, link, password, caller, now)
  const done = await changingUser(auth.db, link.userId, async (db) => {
    await requireGood(db, link, opener, now)
    return changeEmail(db, auth, hashLinkToken(token), link, caller, now)
  })
  if (!done) throw new AuthError('otp_expired')
  for (const id of done.ended) auth.sessionAlive.forget(id)
  for (const userId of done.disconnected) auth.publish({ kind: 'team', userId })
  auth.mailer.kick()
  return sessionAnswer(auth, done.session, now)
}

/** By the rules and the limits of a sign-in: here it is guessed no quicker than there. */
async function requirePassword(
  auth: AuthDeps,
  { email }: ChangeLink,
  password: string | undefined,
  caller: Caller,
  now: Date,
): Promise<void> {
  if (!password) throw new AuthError('reauthentication_needed')
  await findOwned(auth, { email, password }, caller, now)
}

/** Once the account is locked: the session of the opener may have ended meanwhile. */
async function requireGood(db: Db, { userId }: ChangeLink, opener: Principal | null, now: Date): Promise<void> {
  const [account] = await db.query<{ isBanned: boolean; isHolders: boolean }>(look, {
    sessionId: opener?.sessionId ?? null,
    userId,
    now,
    binding: opener?.binding ?? null,
  })
  if (account?.isBanned) throw new AuthError('user_banned', { status: 403 })
  if (opener && !account?.isHolders) throw new AuthError('reauthentication_needed')
}

async function changeEmail(
  db: Db,
  { companyPolicy }: AuthDeps,
  tokenHash: Buffer,
  { newEmail }: ChangeLink,
  caller: Caller,
  now: Date,
): Promise<{ session: OpenedSession; ended: string[]; disconnected: string[] } | null> {
  // Whoever signs up with the address or moves to it at the same time waits, and then finds it taken.
  await lockAddress(db, newEmail)
  const [moved] = await db.query<Moved>(move, { tokenHash, now, ip: caller.ip, ...mailParams(emailChangedMail()) })
  if (!moved) return null
  const disconnected = await moveProfile(db, moved, await companyPolicy())
  await rememberAddress(db, moved.userId, caller, now)
  const session = await openSession(db, { ...moved, method: 'email_change' }, caller, now)
  return session && { session, ended: moved.ended, disconnected }
}
