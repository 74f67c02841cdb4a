import type { CompanyPolicy } from '@deeb/core/account/company'
import { auditInsert } from '../auth/audit-insert.ts'
import { MOVE_ADDRESS } from '../auth/user/move-address.ts'
import { type Db, statement } from '../db/db.ts'
import { closeOpenSession } from '../focus/close-open.ts'
import { emailChangedByCompanyMail } from '../mail/messages.ts'
import { mailParams } from '../mail/outbox-insert.ts'
import { teamOf } from '../presence/who-sees.ts'
import { moveProfile } from '../profile/move-profile.ts'
import { endOutsideAccess } from '../profile/outside-access.ts'

/** SQL: an email domain, an SQL expression, is one for which the provider of the directory speaks. */
const isOfProvider = (domain: string) =>
  `${domain} in (select domain from auth.sso_domains where provider_id = :providerId)`

/** An account that a directory may change. */
export interface Account {
  id: string
  email: string
  isDeactivated: boolean
}

/*
 * The account of a person: the one of before if it is still of the company, else that of their old address, else that of their new
 * one. Takes its row lock, like user-lock.ts. A directory never reaches an account outside the domains of its own provider.
 */
const lock = statement(
  'scim.lock-account',
  `select id, email, deactivated_at is not null as "isDeactivated" from auth.users
  where id = coalesce((select id from auth.users where id = :userId::uuid and ${isOfProvider('email_domain')}), (select id from auth.users where email = :oldEmail),
      (select id from auth.users where email = :newEmail))
    and ${isOfProvider('email_domain')}
  for update`,
)

interface Sought {
  providerId: string
  userId: string | null
  oldEmail: string | null
  newEmail: string | null
}

export async function lockAccount(db: Db, sought: Sought): Promise<Account | null> {
  const [account] = await db.query<Account>(lock, { ...sought })
  return account ?? null
}

const move = statement(
  'scim.move-address',
  `with chosen as (
    select id as user_id, :newEmail::text as new_email from auth.users
    where id = :userId and ${isOfProvider("split_part(:newEmail::text, '@', 2)")}
  ), ${MOVE_ADDRESS}, links as (
    delete from auth.one_time_tokens using person where user_id = person.id
  ), ended as (
    delete from auth.sessions using person, auth.sso_domains
    where sessions.user_id = person.id and sessions.sso_provider_id is distinct from :providerId::uuid
      and domain = split_part(person.email, '@', 2) and only_sso
    returning sessions.id
  )
  select person.id as "userId", person.email, split_part(before.email, '@', 2) <> split_part(person.email, '@', 2) as "isOfOtherDomain",
    array(select id::text from ended) as ended
  from person join before on before.id = person.id`,
)

/**
 * Gives an account its new address, unless that is outside the company or another account has it. Where the new domain signs in by its
 * company only, other auth sessions end; with the domain, the access of programs ends. Returns the users with whom it lost its
 * connection and the ids of what ended; null if nothing changed.
 */
export async function moveAccount(
  db: Db,
  { userId, newEmail, providerId }: { userId: string; newEmail: string; providerId: string },
  policy: CompanyPolicy,
  now: Date,
): Promise<{ disconnected: string[]; ended: string[] } | null> {
  const mail = mailParams(emailChangedByCompanyMail())
  const [moved] = await db.query<{ userId: string; email: string; isOfOtherDomain: boolean; ended: string[] }>(move, {
    userId,
    newEmail,
    providerId,
    now,
    ip: null,
    by: 'directory',
    ...mail,
  })
  if (!moved) return null
  const revoked = moved.isOfOtherDomain ? await endOutsideAccess(db, userId) : []
  const profile = await moveProfile(db, moved, policy, now)
  return { disconnected: profile.disconnected, ended: [...moved.ended, ...revoked, ...profile.revoked] }
}

/*
 * Every kind of token of the account service ends: auth sessions with their refresh tokens, email links, unfinished sign-ins by the company, and the
 * refresh tokens of the company's provider.
 */
const deactivate = statement(
  'scim.deactivate',
  `with person as (
    update auth.users set deactivated_at = :now, updated_at = :now where id = :userId and deactivated_at is null returning id
  ), ended as (
    delete from auth.sessions where user_id = :userId returning id
  ), links as (
    delete from auth.one_time_tokens where user_id = :userId
  ), flows as (
    delete from auth.flow_state using auth.identities
    where identities.user_id = :userId and flow_state.provider_id = sso_provider_id and claims->>'sub' = identities.provider_id
  ), refreshes as (
    update auth.identities set idp_refresh_token = null, recheck_at = null
    where user_id = :userId and idp_refresh_token is not null
  ), logged as (
    ${auditInsert({ action: "'user_deactivated'", userId: 'id', ip: 'null', from: 'person' })}
  )
  select array(select id::text from ended) as ended`,
)

/**
 * Switches an account off: ends its auth sessions, every other token and its focus session. Idempotent. Returns the ids of the ended
 * auth sessions and revoked tokens, and whether a focus session ended.
 */
export async function deactivateAccount(db: Db, userId: string, now: Date) {
  const [done] = await db.query<{ ended: string[] }>(deactivate, { userId, now })
  const revoked = await endOutsideAccess(db, userId)
  return { ended: [...(done?.ended ?? []), ...revoked], wasInFocus: await closeOpenSession(db, userId, now) }
}

const reactivate = statement(
  'scim.reactivate',
  `with person as (
    update auth.users set deactivated_at = null, updated_at = :now where id = :userId and deactivated_at is not null returning id
  )
  ${auditInsert({ action: "'user_reactivated'", userId: 'id', ip: 'null', from: 'person' })}`,
)

/** Lifts what deactivateAccount() set, and nothing else: the block of an administrator stays. */
export async function reactivateAccount(db: Db, userId: string, now: Date): Promise<void> {
  await db.query(reactivate, { userId, now })
}

const readTeam = statement('scim.team-of', teamOf(':userId'))

/** The users who have a connection or a request with this one, or are in a circle with them. */
export async function readTeamOf(db: Db, userId: string): Promise<string[]> {
  return (await db.query<{ user_id: string }>(readTeam, { userId })).map(({ user_id }) => user_id)
}
