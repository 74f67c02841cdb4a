import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { CompanyPolicy } from '@deeb/core/account/company'
import { SIGN_UP_DATA } from '@deeb/core/invitations/invitation'
import * as v from 'valibot'
import { type Db, statement } from '../../db/db.ts'
import { createProfile } from '../../profile/create-profile.ts'
import { lockAddress } from '../address/address-lock.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { type AuthSession, openAuthSession } from '../auth-session/auth-session.ts'
import { sessionAnswer } from '../auth-session/session-answer.ts'
import { isInactiveInDirectory } from '../company/inactive-in-directory.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call, Caller } from '../http/caller.ts'
import { rememberNetwork } from '../limits/familiar-networks.ts'
import { hashLinkToken } from '../links/link-token.ts'

const Link = { type: v.picklist(['signup', 'email']), token_hash: v.string() }

/** A link with the password of its sign-up, or with the secret of the browser that signed up. */
export const ConfirmInput = v.union([
  v.object({ ...Link, password: v.string() }),
  v.object({ ...Link, browser: v.string() }),
])

/** Counts an attempt before the password is checked, so that concurrent attempts count too. Limits brute force to 10. */
const countAttempt = statement(
  'auth.try-link',
  `update auth.pending_signups set attempts = attempts + 1
  where token_hash = :tokenHash and expires_at > :now and attempts < 10
  returning id, email, password_hash as "passwordHash", browser_hash as "browserHash"`,
)

const refundAttempt = statement(
  'auth.untry-link',
  'update auth.pending_signups set attempts = attempts - 1 where id = :id and attempts > 0',
)

/*
 * Other pending sign-ups of the address stay until they expire, but their links no longer work. Deleting them would allow user
 * enumeration: a stranger who had signed up with the address would get another error at sign-in.
 */
const confirmStatement = statement(
  'auth.confirm',
  `with confirmed as (
    delete from auth.pending_signups where id = :id and email = :email returning id, email, password_hash, user_meta
  ), person as (
    insert into auth.users
      (id, email, encrypted_password, email_confirmed_at, raw_user_meta_data, created_at, updated_at, deactivated_at)
    select id, email, password_hash, :now, user_meta - '${SIGN_UP_DATA.join}', :now, :now,
      case when ${isInactiveInDirectory('confirmed.email', "split_part(confirmed.email, '@', 2)")} then :now::timestamptz end
    from confirmed
    on conflict do nothing
    returning id, email
  ), identity as (
    insert into auth.identities (id, user_id, provider, provider_id, identity_data, created_at, updated_at)
    select :identityId, id, 'email', id::text, jsonb_build_object('sub', id, 'email', email, 'email_verified', true), :now, :now
    from person
  ), logged as (
    ${auditInsert({ action: "'user_confirmed'", userId: 'id', from: 'person' })}
  )
  select id from person`,
)

interface Attempt {
  id: string
  email: string
  passwordHash: string
  /** Null if the browser sent no secret. */
  browserHash: Uint8Array | null
}

/**
 * Creates the account of a confirmation link and signs in. Throws `otp_expired` if the link is unknown, used, older than 24
 * hours or had 10 attempts, `invalid_credentials` for a wrong password or secret, and `user_banned` if the company has deactivated the person.
 *
 * It requires the password of the same sign-up, or its browser, to prevent account pre-hijacking: an attacker who signs up with
 * another person's address must not own the account that this person confirms.
 */
export async function confirm(auth: AuthDeps, input: v.InferOutput<typeof ConfirmInput>, call: Call) {
  const { now } = call
  const [attempt] = await auth.db.query<Attempt>(countAttempt, { tokenHash: hashLinkToken(input.token_hash), now })
  if (!attempt) throw new AuthError('otp_expired')
  const isRight =
    'browser' in input
      ? isSameBrowser(attempt, input.browser)
      : await auth.passwords.verify(attempt.passwordHash, input.password).catch(async (error: unknown) => {
          // The password was not checked, so this attempt does not count.
          await auth.db.query(refundAttempt, { id: attempt.id })
          throw error
        })
  if (!isRight) throw new AuthError('invalid_credentials')
  const session = await auth.db.transaction((db) => createAndSignIn(db, auth, attempt, call))
  if (!session) throw new AuthError('otp_expired')
  return sessionAnswer(auth, session, now)
}

function isSameBrowser({ browserHash }: Attempt, secret: string): boolean {
  return browserHash !== null && timingSafeEqual(browserHash, hashLinkToken(secret))
}

/** Creates the account and its first auth session. Null if the link was used or replaced concurrently. */
export async function createAndSignIn(
  db: Db,
  { companyPolicy }: AuthDeps,
  attempt: Pick<Attempt, 'id' | 'email' | 'passwordHash'>,
  call: Call,
): Promise<AuthSession | null> {
  const { caller, now } = call
  await lockAddress(db, attempt.email)
  if (!(await createAccount(db, attempt, await companyPolicy(), caller, now))) return null
  await rememberNetwork(db, attempt.id, call)
  const session = await openAuthSession(db, { userId: attempt.id, passwordHash: attempt.passwordHash }, call)
  // Rolls back: no account is made for a person whom the company has deactivated.
  if (!session) throw new AuthError('user_banned', { status: 403 })
  return session
}

/**
 * Creates user, identity, profile and presence of one pending sign-up. False if that sign-up no longer exists or the address
 * already has an account. `caller` is null for an administrator. Call it in a transaction after lockAddress().
 */
export async function createAccount(
  db: Db,
  { id, email }: Pick<Attempt, 'id' | 'email'>,
  policy: CompanyPolicy,
  caller: Pick<Caller, 'ip' | 'language'> | null,
  now: Date,
): Promise<boolean> {
  const [person] = await db.query<{ id: string }>(confirmStatement, {
    ...{ id, email, now, identityId: randomUUID() },
    ip: caller?.ip ?? null,
  })
  if (!person) return false
  await createProfile(db, { userId: id, email, language: caller?.language ?? null }, policy, now)
  return true
}
