import { randomUUID } from 'node:crypto'
import type { CompanyPolicy } from '@deeb/core/account/company'
import * as z from 'zod/mini'
import { type Db, statement } from '../../db/db.ts'
import { createProfile } from '../../profile/create-profile.ts'
import { lockAddress } from '../address/address-lock.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { openSession, type Session } from '../auth-session/auth-session.ts'
import { sessionAnswer } from '../auth-session/session-answer.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Caller } from '../http/caller.ts'
import { rememberAddress } from '../limits/known-addresses.ts'
import { hashLinkToken } from '../links/link-token.ts'

export const ConfirmInput = z.object({
  type: z.enum(['signup', 'email']),
  token_hash: z.string(),
  password: z.string(),
})

/** Counted before the password is looked at, so that tries at the same time count too. */
const tryLink = statement(
  'auth.try-link',
  `update auth.pending_signups set attempts = attempts + 1
  where token_hash = :tokenHash and expires_at > :now and attempts < 10
  returning id, email, password_hash as "passwordHash"`,
)

const untryLink = statement(
  'auth.untry-link',
  'update auth.pending_signups set attempts = attempts - 1 where id = :id and attempts > 0',
)

/*
 * The other sign-ups of the address stay until they expire, and open nothing, since the address has an owner. Without them a
 * stranger who signed it up would learn from a sign-in that an account was made.
 */
const confirmStatement = statement(
  'auth.confirm',
  `with confirmed as (
    delete from auth.pending_signups where id = :id and email = :email returning id, email, password_hash, user_meta
  ), person as (
    insert into auth.users
      (id, email, encrypted_password, email_confirmed_at, raw_user_meta_data, created_at, updated_at)
    select id, email, password_hash, :now, user_meta, :now, :now from confirmed
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
}

/**
 * Makes the account that a link stands for, and signs in. The link is not enough: it takes the password that was chosen
 * in that very sign-up, or whoever signs a stranger's address up would own the account the stranger's click makes.
 * Throws `otp_expired` for a link that is unknown, used, past 24 hours or past 10 tries, `invalid_credentials` for a
 * wrong password.
 */
export async function confirm(auth: AuthDeps, input: z.output<typeof ConfirmInput>, caller: Caller, now: Date) {
  const [attempt] = await auth.db.query<Attempt>(tryLink, { tokenHash: hashLinkToken(input.token_hash), now })
  if (!attempt) throw new AuthError('otp_expired')
  const isRight = await auth.passwords.verify(attempt.passwordHash, input.password).catch(async (error: unknown) => {
    // Not judged, so not one of the ten.
    await auth.db.query(untryLink, { id: attempt.id })
    throw error
  })
  if (!isRight) throw new AuthError('invalid_credentials')
  const session = await auth.db.transaction((db) => createAndSignIn(db, auth, attempt, caller, now))
  if (!session) throw new AuthError('otp_expired')
  return sessionAnswer(auth, session, now)
}

/** The account and its first session. Null if the link was used or replaced in the meantime. */
async function createAndSignIn(
  db: Db,
  { companyPolicy }: AuthDeps,
  attempt: Attempt,
  caller: Caller,
  now: Date,
): Promise<Session | null> {
  await lockAddress(db, attempt.email)
  if (!(await createAccount(db, attempt, await companyPolicy(), caller.ip, now))) return null
  await rememberAddress(db, attempt.id, caller, now)
  return openSession(db, { userId: attempt.id, passwordHash: attempt.passwordHash }, caller, now)
}

/**
 * User, identity, profile and presence of one sign-up. Belongs into a transaction
 * that holds the address. False if that sign-up does not wait any more, or the address has an owner.
 */
export async function createAccount(
  db: Db,
  { id, email }: Pick<Attempt, 'id' | 'email'>,
  policy: CompanyPolicy,
  ip: string | null,
  now: Date,
): Promise<boolean> {
  const [person] = await db.query<{ id: string }>(confirmStatement, { id, email, now, identityId: randomUUID(), ip })
  if (!person) return false
  await createProfile(db, { userId: id, email }, policy)
  return true
}
