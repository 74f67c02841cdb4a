import { randomBytes, randomUUID } from 'node:crypto'
import type { CompanyPolicy } from '@deeb/core/account/company'
import { removeUser } from '../account/remove-user.ts'
import { lockAddress } from '../auth/address/address-lock.ts'
import { auditInsert } from '../auth/audit-insert.ts'
import { makeLinkToken } from '../auth/links/link-token.ts'
import type { Passwords } from '../auth/password/hashing.ts'
import { createAccount } from '../auth/sign-up/confirm.ts'
import { withUserLock } from '../auth/user/user-lock.ts'
import type { Config } from '../config.ts'
import { type Db, statement } from '../db/db.ts'
import { publishToServers } from '../live/postgres-bus.ts'
import { factorRemovedMail, recoveryLink } from '../mail/messages.ts'
import { mailParams, outboxInsert } from '../mail/outbox-insert.ts'

/** What an operator is told: printed line by line. */
type Lines = Promise<string[]>

const newestPending = statement(
  'admin.newest-pending',
  `select id, email, created_at as "createdAt", count(*) over ()::int as count from auth.pending_signups
  where email = :email order by created_at desc, id limit 1`,
)

const forgetPassword = statement(
  'admin.forget-password',
  'update auth.users set encrypted_password = :passwordHash where email = :email',
)

interface ConfirmDeps {
  policy: CompanyPolicy
  passwords: Passwords
  publicUrl: string
}

/**
 * Makes the account of a sign-up that waits for this address, without the mail's link: the operator vouches for its owner.
 * Not for the password, which anybody may have chosen who signed that address up; the owner chooses one with the link that
 * is printed. Throws a sentence if none waits.
 */
export async function confirmUser(
  db: Db,
  email: string,
  { policy, passwords, publicUrl }: ConfirmDeps,
  now: Date,
): Lines {
  const nobodys = await passwords.hash(randomBytes(32).toString('base64url'))
  await db.transaction(async (db) => {
    await lockAddress(db, email)
    const [pending] = await db.query<{ id: string; email: string }>(newestPending, { email })
    if (!pending) throw new Error(`No sign-up waits for ${email}.`)
    if (!(await createAccount(db, pending, policy, null, now))) throw new Error(`${email} has an account already.`)
    await db.query(forgetPassword, { email, passwordHash: nobodys })
  })
  return [`Made the account of ${email}.`, ...(await resetUser(db, email, publicUrl, now))]
}

const issueRecovery = statement(
  'admin.issue-recovery',
  `with token as (
    insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, expires_at)
    select :tokenId, id, 'recovery', :tokenHash, email, :now, :now::timestamptz + interval '30 minutes'
    from auth.users where email = :email
    on conflict (user_id, token_type) do update set id = excluded.id, token_hash = excluded.token_hash,
      relates_to = excluded.relates_to, created_at = excluded.created_at, expires_at = excluded.expires_at
    returning user_id
  )
  ${auditInsert({ action: "'recovery_requested'", userId: 'user_id', ip: 'null', from: 'token' })}
  returning user_id`,
)

/** A link with which the owner of an account chooses a new password. Throws a sentence if there is no account. */
export async function resetUser(db: Db, email: string, publicUrl: string, now: Date): Lines {
  const { token, tokenHash } = makeLinkToken()
  const issued = await db.query(issueRecovery, { email, tokenId: randomUUID(), tokenHash, now })
  if (issued.length === 0) throw new Error(`${email} has no account.`)
  return [`Pass this link on to ${email}. It works once, for 30 minutes:`, recoveryLink(publicUrl, token)]
}

const find = statement('admin.find-user', 'select id from auth.users where email = :email')

async function userOf(db: Db, email: string): Promise<string> {
  const [user] = await db.query<{ id: string }>(find, { email })
  if (!user) throw new Error(`${email} has no account.`)
  return user.id
}

const endSessions = statement(
  'admin.end-sessions',
  `with ended as (delete from auth.sessions where user_id = :userId returning id),
  logged as (${auditInsert({ action: "'logout'", userId: ':userId', ip: 'null' })})
  select count(*)::int as count from ended`,
)

const IN_WHILE = 'A server that runs notices within 30 seconds.'

/** Signs an account out on all its devices. Throws a sentence if there is no account. */
export async function signOutUser(db: Db, email: string, now: Date): Lines {
  const userId = await userOf(db, email)
  const [ended] = await withUserLock(db, userId, (db) => db.query<{ count: number }>(endSessions, { userId, now }))
  const devices = ended?.count === 1 ? '1 device' : `${ended?.count} devices`
  return [`Signed ${email} out on ${devices}. ${IN_WHILE}`]
}

const setBlock = statement(
  'admin.block-user',
  `with person as (update auth.users set banned_until = :bannedUntil where id = :userId returning id)
  ${auditInsert({ action: ':action', userId: 'id', ip: 'null', from: 'person' })}`,
)

/**
 * Signs an account out and keeps it from signing in, for somebody who left. What is theirs stays, until it is deleted. Throws a
 * sentence if there is no account.
 */
export async function blockUser(db: Db, email: string, now: Date): Lines {
  const userId = await userOf(db, email)
  await withUserLock(db, userId, async (db) => {
    await db.query(setBlock, { userId, bannedUntil: 'infinity', now, action: 'user_blocked' })
    await db.query(endSessions, { userId, now })
  })
  return [`Blocked ${email}, who is signed out everywhere. ${IN_WHILE}`]
}

/** Lets a blocked account sign in again. Throws a sentence if there is no account. */
export async function unblockUser(db: Db, email: string, now: Date): Lines {
  await db.query(setBlock, { userId: await userOf(db, email), bannedUntil: null, now, action: 'user_unblocked' })
  return [`${email} may sign in.`]
}

const removeFactorsStatement = statement(
  'admin.remove-factors',
  `with gone as (
    delete from auth.mfa_factors where user_id = :userId returning id, status
  ), person as (
    update auth.users set failed_codes = 0 where id = :userId and exists (select from gone) returning id, email
  ), lowered as (
    update auth.sessions set aal = 'aal1', factor_id = null from gone where factor_id = gone.id
  ), mailed as (
    ${outboxInsert({ recipient: 'email', from: "person where exists (select from gone where status = 'verified')" })}
  ), logged as (
    ${auditInsert({
      action: "'mfa_removed'",
      userId: ':userId',
      ip: 'null',
      detail: "jsonb_build_object('factor', id, 'by', 'admin')",
      from: 'gone',
    })}
  )
  select count(*)::int as count from gone`,
)

/**
 * Removes every second factor of an account whose owner cannot show one, and tells them by email. Sessions go on, as
 * sessions of the password alone. Throws a sentence if there is no account, or no factor.
 */
export async function removeFactors(db: Db, email: string, now: Date): Lines {
  const userId = await userOf(db, email)
  const values = { userId, now, ...mailParams(factorRemovedMail()) }
  const [gone] = await withUserLock(db, userId, (db) => db.query<{ count: number }>(removeFactorsStatement, values))
  if (!gone?.count) throw new Error(`${email} has no second factor.`)
  const factors = gone.count === 1 ? '1 second factor' : `${gone.count} second factors`
  return [
    `Removed ${factors} of ${email}, who now signs in with the password alone. ${IN_WHILE}`,
    `Nobody was signed out. If somebody else added the factor: user sign-out ${email}, then user reset ${email}.`,
  ]
}

/** Deletes an account and everything that is held about it, for good. Throws a sentence if there is no account. */
export async function deleteUser(db: Db, email: string, config: Config): Lines {
  const gone = await removeUser({ db, config }, await userOf(db, email), null)
  if (gone) await publishToServers(db, gone)
  return [`Deleted the account of ${email} and all that was held about it.`]
}

const describe = statement(
  'admin.describe-user',
  `select users.created_at as "createdAt", company_domain as "companyDomain", username,
    banned_until is not null as "isBlocked"
  from auth.users join profiles using (id) where users.email = :email`,
)

interface Described {
  createdAt: Date
  companyDomain: string | null
  username: string | null
  isBlocked: boolean
}

const sessionsOf = statement(
  'admin.sessions',
  `select sessions.created_at as "createdAt", refreshed_at as "refreshedAt", ip, user_agent as "userAgent"
  from auth.sessions join auth.users on users.id = user_id where email = :email order by refreshed_at desc`,
)

/** The account of an address and where it is signed in; or that a sign-up waits. Throws a sentence if there is neither. */
export async function listUser(db: Db, email: string): Lines {
  const [user] = await db.query<Described>(describe, { email })
  if (!user) {
    const [pending] = await db.query<{ createdAt: Date; count: number }>(newestPending, { email })
    if (!pending) throw new Error(`${email} has no account, and no sign-up waits for it.`)
    return [`${email}: ${pending.count} sign-up(s) waiting, the newest of ${pending.createdAt.toISOString()}`]
  }
  const sessions = await db.query<{ createdAt: Date; refreshedAt: Date; ip: string | null; userAgent: string | null }>(
    sessionsOf,
    { email },
  )
  return [
    `${email}: confirmed ${user.createdAt.toISOString()}, username ${user.username ?? '(none)'}, company ${user.companyDomain ?? '(none)'}${user.isBlocked ? ', blocked' : ''}`,
    ...sessions.map(
      ({ createdAt, refreshedAt, ip, userAgent }) =>
        `  signed in ${createdAt.toISOString()}, last seen ${refreshedAt.toISOString()}, from ${ip ?? '?'}, ${userAgent ?? '?'}`,
    ),
    ...(sessions.length === 0 ? ['  signed in nowhere'] : []),
  ]
}
