import { type Db, statement } from '../../db/db.ts'
import { emailChangedMail } from '../../mail/messages.ts'
import { mailParams } from '../../mail/outbox-insert.ts'
import { moveProfile } from '../../profile/move-profile.ts'
import { endOutsideAccess } from '../../profile/outside-access.ts'
import { lockAddress } from '../address/address-lock.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import {
  type CompanySignIn,
  IS_PRINCIPALS,
  type OpenedAuthSession,
  openAuthSession,
  USER_IS_BANNED,
} from '../auth-session/auth-session.ts'
import { sessionAnswer } from '../auth-session/session-answer.ts'
import { isCompanyOnly } from '../company/only-by-company.ts'
import { removeForeignIdentities } from '../company/remove-identities.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { rememberNetwork } from '../limits/familiar-networks.ts'
import type { Link } from '../links/find-link.ts'
import { hashLinkToken } from '../links/link-token.ts'
import { findByPassword } from '../sign-in/sign-in.ts'
import { MOVE_ADDRESS } from './move-address.ts'
import { withUserLock } from './user-lock.ts'

type ChangeLink = Link & { kind: 'email_change' }

const readOpener = statement(
  'auth.read-opener-of-email-change',
  `select ${USER_IS_BANNED} as "isBanned",
    ${isCompanyOnly("split_part(:newEmail, '@', 2)")} as "isCompanyOnly", sessions.id is not null as "hasSession",
    sso_provider_id as "providerId", sso_sid as sid, not_after as "notAfter"
  from auth.users left join auth.sessions on ${IS_PRINCIPALS} where users.id = :userId`,
)

/*
 * Revokes all auth sessions: the requester may not own the new mailbox. Notifies the old address. If another account has
 * taken the new address since the request, only the token is consumed.
 */
const move = statement(
  'auth.change-email',
  `with chosen as (
    delete from auth.one_time_tokens where token_hash = :tokenHash and token_type = 'email_change' and expires_at > :now
    returning user_id, relates_to as new_email
  ), ${MOVE_ADDRESS}, other_links as (
    delete from auth.one_time_tokens using person where user_id = person.id and token_type <> 'email_change'
  ), ended as (
    delete from auth.sessions using person where user_id = person.id returning sessions.id
  )
  select id as "userId", email, encrypted_password as "passwordHash",
    coalesce((select array_agg(id::text) from ended), '{}') as ended
  from person`,
)

interface Moved {
  userId: string
  email: string
  passwordHash: string | null
  ended: string[]
}

/** How the opener proves to own the account: by its live auth session, else by its password. */
interface OpenerProof {
  opener: Principal | null
  password: string | undefined
}

/**
 * Changes the address of an account to the recipient of the link. The company changes with it, all auth sessions are
 * revoked, and a new one begins. Throws `otp_expired` if the link was used or replaced concurrently or if another
 * account has taken the address, `reauthentication_needed`, `user_banned`, `user_sso_managed` unless the company opened the auth
 * session, and the errors of a sign-in for the password.
 *
 * It requires the account's auth session or password, because the owner of the new mailbox may be another person.
 */
export async function openEmailChange(
  auth: AuthDeps,
  token: string,
  link: ChangeLink,
  { opener, password }: OpenerProof,
  call: Call,
) {
  const { now } = call
  if (!opener) await requirePassword(auth, link, password, call)
  const done = await withUserLock(auth.db, link.userId, async (db) => {
    const company = await requireValidOpener(db, link, opener, now)
    return changeEmail(db, auth, hashLinkToken(token), { ...link, company }, call)
  })
  if (!done) throw new AuthError('otp_expired')
  for (const id of done.ended) auth.sessionAlive.invalidate(id)
  for (const userId of done.disconnected) auth.publish({ kind: 'team', id: userId })
  auth.mailer.kick()
  return sessionAnswer(auth, done.session, now)
}

/** Checks the password with the rate limits of a sign-in, so that a brute force is no faster here. */
async function requirePassword(
  auth: AuthDeps,
  { email }: ChangeLink,
  password: string | undefined,
  call: Call,
): Promise<void> {
  if (!password) throw new AuthError('reauthentication_needed')
  await findByPassword(auth, { email, password }, call)
}

interface Opener {
  isBanned: boolean
  isCompanyOnly: boolean
  hasSession: boolean
  providerId: string | null
  sid: string | null
  notAfter: Date | null
}

/**
 * Checks again under the row lock, because the auth session of the opener may have ended since the request began. Returns the company
 * sign-in of that session, which the new one continues.
 */
async function requireValidOpener(
  db: Db,
  { userId, newEmail }: ChangeLink,
  opener: Principal | null,
  now: Date,
): Promise<CompanySignIn | undefined> {
  const [account] = await db.query<Opener>(readOpener, {
    sessionId: opener?.sessionId ?? null,
    userId,
    now,
    binding: opener?.binding ?? null,
    newEmail,
  })
  if (account?.isBanned) throw new AuthError('user_banned', { status: 403 })
  if (opener && !account?.hasSession) throw new AuthError('reauthentication_needed')
  const { providerId = null, sid = null, notAfter = null } = account ?? {}
  if (providerId && notAfter) {
    const hours = (notAfter.getTime() - now.getTime()) / 3_600_000
    return { providerId, sid, hasSecondFactor: false, provenAt: now, hours }
  }
  if (account?.isCompanyOnly) throw new AuthError('user_sso_managed')
  return undefined
}

async function changeEmail(
  db: Db,
  { companyPolicy }: AuthDeps,
  tokenHash: Buffer,
  { newEmail, company }: ChangeLink & { company: CompanySignIn | undefined },
  call: Call,
): Promise<{ session: OpenedAuthSession; ended: string[]; disconnected: string[] } | null> {
  const { caller, now } = call
  // A concurrent sign-up with this address, or change to it, waits for this lock and then finds the address taken.
  await lockAddress(db, newEmail)
  const [moved] = await db.query<Moved>(move, {
    tokenHash,
    now,
    ip: caller.ip,
    by: 'person',
    ...mailParams(emailChangedMail(), caller.language),
  })
  if (!moved) return null
  const revoked = await endOutsideAccess(db, moved.userId)
  // A company may not open an account that has moved to another domain.
  await removeForeignIdentities(db, moved.userId, now)
  const { disconnected } = await moveProfile(db, moved, await companyPolicy(), now)
  await rememberNetwork(db, moved.userId, call)
  const proof = { ...moved, method: 'email_change', company } as const
  const session = await openAuthSession(db, proof, call)
  // Rolls the change back: the domain was closed concurrently.
  if (!session) throw new AuthError('otp_expired')
  return { session, ended: [...moved.ended, ...revoked], disconnected }
}
