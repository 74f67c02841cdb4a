import { randomBytes, randomUUID } from 'node:crypto'
import type { CompanyPolicy } from '@deeb/core/account/company'
import { removeUser } from '../account/remove-user.ts'
import { forgetting } from '../alerts/knocks.ts'
import { lockAddress } from '../auth/address/address-lock.ts'
import { auditInsert } from '../auth/audit-insert.ts'
import { REMOVAL_MAILED, removalOf } from '../auth/company/remove-identities.ts'
import { makeLinkToken } from '../auth/links/link-token.ts'
import type { Passwords } from '../auth/password/hashing.ts'
import { createAccount } from '../auth/sign-up/confirm.ts'
import { withUserLock } from '../auth/user/user-lock.ts'
import type { Config } from '../config/config.ts'
import { type Db, statement } from '../db/db.ts'
import { closeOpenSession } from '../focus/close-open.ts'
import { publishToServers } from '../live/postgres-bus.ts'
import { companyDisconnectedMail, factorsRemovedMail, recoveryLink } from '../mail/messages.ts'
import { mailParams, outboxInsert } from '../mail/outbox-insert.ts'
import { endOutsideAccess } from '../profile/outside-access.ts'
import { tableLine } from './table-line.ts'

/** The output of a command, printed line by line. */
type Lines = Promise<string[]>

const newestPending = statement(
  'admin.newest-pending',
  `select id, email, created_at as "createdAt", count(*) over ()::int as count from auth.pending_signups
  where email = :email order by created_at desc, id limit 1`,
)

const discardPassword = statement(
  'admin.forget-password',
  'update auth.users set encrypted_password = :passwordHash where email = :email',
)

interface ConfirmDeps {
  policy: CompanyPolicy
  passwords: Passwords
  publicUrl: string
}

/**
 * Creates the account of a pending sign-up without the link from the email, and prints a link to set its password. The password of
 * the sign-up is discarded, which prevents account pre-hijacking: a stranger may have chosen it. Throws if there is no pending
 * sign-up.
 */
export async function confirmUser(
  db: Db,
  email: string,
  { policy, passwords, publicUrl }: ConfirmDeps,
  now: Date,
): Lines {
  const unusable = await passwords.hash(randomBytes(32).toString('base64url'))
  await db.transaction(async (db) => {
    await lockAddress(db, email)
    const [pending] = await db.query<{ id: string; email: string }>(newestPending, { email })
    if (!pending) throw new Error(`${email} has no pending sign-up.`)
    if (!(await createAccount(db, pending, policy, null, now))) throw new Error(`${email} already has an account.`)
    await db.query(discardPassword, { email, passwordHash: unusable })
  })
  return [`Created the account of ${email}.`, ...(await resetUser(db, email, publicUrl, now))]
}

const issueRecovery = statement(
  'admin.issue-recovery',
  `with token as (
    insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, expires_at, by_admin)
    select :tokenId, id, 'recovery', :tokenHash, email, :now, :now::timestamptz + interval '30 minutes', true
    from auth.users where email = :email
    on conflict (user_id, token_type) do update set id = excluded.id, token_hash = excluded.token_hash,
      relates_to = excluded.relates_to, created_at = excluded.created_at, expires_at = excluded.expires_at, by_admin = true
    returning user_id
  )
  ${auditInsert({ action: "'recovery_requested'", userId: 'user_id', ip: 'null', from: 'token' })}
  returning user_id`,
)

/** Prints a link to set a new password. Throws if there is no account. */
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

const endSessionsStatement = statement(
  'admin.end-sessions',
  `with ended as (delete from auth.sessions where user_id = :userId returning id),
  logged as (${auditInsert({ action: "'logout'", userId: ':userId', ip: 'null' })})
  select array(select id::text from ended) as ended`,
)

interface Ended {
  /** The ids of auth sessions. */
  ended: string[]
  /** The ids of personal access tokens. */
  revoked: string[]
}

/** Revokes all auth sessions of a user and the access of programs. Returns their ids, to publish after the commit. */
async function endSessions(db: Db, userId: string, now: Date): Promise<Ended> {
  const [row] = await db.query<Pick<Ended, 'ended'>>(endSessionsStatement, { userId, now })
  return { ended: row?.ended ?? [], revoked: await endOutsideAccess(db, userId) }
}

/** Revokes all auth sessions of an account and the access of programs. Throws if there is no account. */
export async function signOutUser(db: Db, email: string, now: Date): Lines {
  const userId = await userOf(db, email)
  const { ended, revoked } = await withUserLock(db, userId, (db) => endSessions(db, userId, now))
  await publishToServers(db, { sessionIds: [...ended, ...revoked] })
  const tokens = revoked.length ? ` Revoked ${counted(revoked.length, 'access token')}.` : ''
  return [`Signed ${email} out on ${counted(ended.length, 'device')}.${tokens}`]
}

/* Nobody waits for a blocked person to be free, or for an answer of theirs or to them. */
const setBlock = statement(
  'admin.block-user',
  `with person as (update auth.users set banned_until = :bannedUntil where id = :userId returning id),
  forgotten as (delete from free_alerts using person where target_id = person.id),
  ${forgetting('(select id from person) in (sender_id, receiver_id)')}
  ${auditInsert({ action: ':action', userId: 'id', ip: 'null', from: 'person' })}`,
)

/**
 * Revokes all auth sessions and personal access tokens of an account, ends its focus session and refuses new auth sessions. Its data stays until it is deleted.
 * Throws if there is no account.
 */
export async function blockUser(db: Db, email: string, now: Date): Lines {
  const userId = await userOf(db, email)
  const changed = await withUserLock(db, userId, async (db) => {
    await db.query(setBlock, { userId, bannedUntil: 'infinity', now, action: 'user_blocked' })
    const { ended, revoked } = await endSessions(db, userId, now)
    return { sessionIds: [...ended, ...revoked], presenceOf: (await closeOpenSession(db, userId, now)) ? [userId] : [] }
  })
  await publishToServers(db, changed)
  return [`Blocked ${email} and signed it out everywhere.`]
}

const reactivate = statement(
  'admin.reactivate-user',
  `with person as (
    update auth.users set deactivated_at = null, updated_at = :now where id = :userId and deactivated_at is not null
      and not exists (select from auth.scim_users where scim_users.user_id = users.id and not active)
    returning id
  ), logged as (
    ${auditInsert({ action: "'user_reactivated'", userId: 'id', ip: 'null', from: 'person' })}
  )
  select deactivated_at is not null and not exists (select from person) as "isDeactivated" from auth.users where id = :userId`,
)

/**
 * Lets a blocked account sign in again, and one that a directory has switched off, unless an entry of the directory says so still.
 * Throws if there is no account.
 */
export async function unblockUser(db: Db, email: string, now: Date): Lines {
  const userId = await userOf(db, email)
  await db.query(setBlock, { userId, bannedUntil: null, now, action: 'user_unblocked' })
  const [account] = await db.query<{ isDeactivated: boolean }>(reactivate, { userId, now })
  return [
    account?.isDeactivated
      ? `${email} is not blocked here. The directory of its company still says that it is inactive.`
      : `${email} can sign in again.`,
  ]
}

/* An auth session that a passkey opened ends: it has no password to fall back on. */
const removeFactorsStatement = statement(
  'admin.remove-factors',
  `with gone as (
    delete from auth.mfa_factors where user_id = :userId returning id, factor_type, status
  ), passkeys as (
    delete from auth.webauthn_credentials where user_id = :userId returning id
  ), person as (
    update auth.users set failed_codes = 0
    where id = :userId and (exists (select from gone) or exists (select from passkeys)) returning id, email
  ), ended as (
    delete from auth.sessions where user_id = :userId and amr @> '[{"method": "passkey"}]' returning id
  ), lowered as (
    update auth.sessions set aal = 'aal1', factor_id = null from gone
    where factor_id = gone.id and not amr @> '[{"method": "passkey"}]'
    returning sessions.id
  ), mailed as (
    ${outboxInsert({
      recipient: 'email',
      from: `person where exists (select from gone where status = 'verified') or exists (select from passkeys)`,
    })}
  ), logged as (
    ${auditInsert({
      action: "'mfa_removed'",
      userId: ':userId',
      ip: 'null',
      detail: "jsonb_build_object('factor', id, 'by', 'admin')",
      from: 'gone',
    })}
  ), passkeys_logged as (
    ${auditInsert({
      action: "'passkey_removed'",
      userId: ':userId',
      ip: 'null',
      detail: "jsonb_build_object('passkey', id, 'by', 'admin')",
      from: 'passkeys',
    })}
  )
  select (select count(*)::int from gone where factor_type <> 'recovery_code') as apps,
    (select count(*)::int from passkeys) as passkeys, exists (select from gone where factor_type = 'recovery_code') as "hadCodes",
    array(select id::text from ended) as ended, array(select id::text from lowered) as lowered`,
)

interface RemovedFactors {
  apps: number
  passkeys: number
  hadCodes: boolean
  /** The ids of auth sessions that a passkey opened. */
  ended: string[]
  /** The ids of auth sessions that are now `aal1`. */
  lowered: string[]
}

/**
 * Removes all second factors, recovery codes and passkeys of an account and notifies its owner by email. Auth sessions that a
 * password opened stay alive as `aal1`, those of passkeys end. Throws if there is no account, or nothing to remove.
 */
export async function removeFactors(db: Db, email: string, now: Date): Lines {
  const userId = await userOf(db, email)
  const values = { userId, now, ...mailParams(factorsRemovedMail()) }
  const [gone] = await withUserLock(db, userId, (db) => db.query<RemovedFactors>(removeFactorsStatement, values))
  const removed = gone ? removedText(gone) : []
  if (removed.length === 0) throw new Error(`${email} has no second factor and no passkey.`)
  const { ended, lowered } = gone ?? { ended: [], lowered: [] }
  await publishToServers(db, { sessionIds: [...ended, ...lowered] })
  const signedOut = ended.length
    ? `Signed out ${counted(ended.length, 'device')} with a passkey and nobody else.`
    : 'Nobody was signed out.'
  return [
    `Removed ${removed.join(', ')} of ${email}. The account now needs only its password.`,
    `${signedOut} If an attacker added one of them, run \`user sign-out ${email}\` and then \`user reset ${email}\`.`,
  ]
}

function removedText({ apps, passkeys, hadCodes }: RemovedFactors): string[] {
  return [
    ...(apps > 0 ? [counted(apps, 'second factor')] : []),
    ...(hadCodes ? ['the recovery codes'] : []),
    ...(passkeys > 0 ? [counted(passkeys, 'passkey')] : []),
  ]
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

const unlinkStatement = statement(
  'admin.unlink-user',
  `with chosen as (
    select id from auth.identities where user_id = :userId and sso_provider_id is not null
  ), ${removalOf('null')}, ${REMOVAL_MAILED}
  select (select count(*)::int from gone) as count, array(select id::text from ended) as ended`,
)

/**
 * Disconnects the company account from an account, ends the auth sessions that it opened, and notifies the owner. The next sign-in
 * with a company account of this address needs a code by email. Throws if there is no account, or none is connected.
 */
export async function unlinkUser(db: Db, email: string, now: Date): Lines {
  const userId = await userOf(db, email)
  const values = { userId, keptSessionId: null, now, ...mailParams(companyDisconnectedMail()) }
  const [removed] = await withUserLock(db, userId, (db) =>
    db.query<{ count: number; ended: string[] }>(unlinkStatement, values),
  )
  if (!removed?.count) throw new Error(`${email} has no company account.`)
  await publishToServers(db, { sessionIds: removed.ended })
  return [
    `Disconnected the company account of ${email}, and signed it out on ${counted(removed.ended.length, 'device')}.`,
  ]
}

/** Permanently deletes an account and all its data. Throws if there is no account. */
export async function deleteUser(db: Db, email: string, config: Config): Lines {
  const gone = await removeUser({ db, config }, await userOf(db, email), null)
  if (gone) await publishToServers(db, gone)
  return [`Deleted the account of ${email} and all data about it.`]
}

const describe = statement(
  'admin.describe-user',
  `select users.created_at as "createdAt", company_domain as "companyDomain", username,
    banned_until is not null as "isBlocked", deactivated_at is not null as "isDeactivated"
  from auth.users join profiles using (id) where users.email = :email`,
)

interface Described {
  createdAt: Date
  companyDomain: string | null
  username: string | null
  isBlocked: boolean
  /** Whether the directory of the company deactivated the account. */
  isDeactivated: boolean
}

const sessionsOf = statement(
  'admin.sessions',
  `select sessions.created_at as "createdAt", refreshed_at as "refreshedAt", ip, user_agent as "userAgent"
  from auth.sessions join auth.users on users.id = user_id where email = :email order by refreshed_at desc`,
)

const people = statement(
  'admin.list-people',
  `select users.email, username, users.banned_until is not null as "isBlocked", users.deactivated_at is not null as "isDeactivated",
    (select max(refreshed_at) from auth.sessions where user_id = users.id) as "seenAt",
    exists (select from auth.mfa_factors where user_id = users.id and status = 'verified') as "hasFactor",
    exists (select from auth.webauthn_credentials where user_id = users.id) as "hasPasskey"
  from auth.users join profiles using (id) where users.email_domain = :domain order by users.email`,
)

interface Listed {
  email: string
  username: string | null
  seenAt: Date | null
  hasFactor: boolean
  hasPasskey: boolean
  isBlocked: boolean
  isDeactivated: boolean
}

/** Lists the accounts with an address at a domain: address, username, when last seen, how they are protected and switched off. */
export async function listPeople(db: Db, domain: string): Lines {
  const all = await db.query<Listed>(people, { domain })
  if (all.length === 0) throw new Error(`No account has an address at ${domain}.`)
  return all.map(({ email, username, seenAt, hasFactor, hasPasskey, isBlocked, isDeactivated }) =>
    tableLine(
      email,
      username ?? '(no username)',
      seenAt ? `last seen ${seenAt.toISOString().slice(0, 10)}` : 'not signed in',
      [
        hasFactor ? 'second factor' : 'no second factor',
        ...(hasPasskey ? ['passkey'] : []),
        ...(isBlocked ? ['blocked'] : []),
        ...(isDeactivated ? ['deactivated by its company'] : []),
      ].join(', '),
    ),
  )
}

/** Shows an account and where it is signed in, else its pending sign-ups. Throws if there is neither. */
export async function listUser(db: Db, email: string): Lines {
  const [user] = await db.query<Described>(describe, { email })
  if (!user) {
    const [pending] = await db.query<{ createdAt: Date; count: number }>(newestPending, { email })
    if (!pending) throw new Error(`${email} has no account and no pending sign-up.`)
    const signUps = counted(pending.count, 'pending sign-up')
    return [`${email}: ${signUps}, the newest from ${pending.createdAt.toISOString()}`]
  }
  const sessions = await db.query<{ createdAt: Date; refreshedAt: Date; ip: string | null; userAgent: string | null }>(
    sessionsOf,
    { email },
  )
  return [
    `${email}: confirmed ${user.createdAt.toISOString()}, username ${user.username ?? '(none)'}, company ${user.companyDomain ?? '(none)'}${user.isBlocked ? ', blocked' : ''}${user.isDeactivated ? ', deactivated by its company' : ''}`,
    ...sessions.map(
      ({ createdAt, refreshedAt, ip, userAgent }) =>
        `  signed in ${createdAt.toISOString()}, last seen ${refreshedAt.toISOString()}, from ${ip ?? '?'}, ${userAgent ?? '?'}`,
    ),
    ...(sessions.length === 0 ? ['  not signed in'] : []),
  ]
}
