import { randomUUID } from 'node:crypto'
import { FIRST_ACCOUNT } from '@deeb/core/account/first-account'
import { isSecret, SIGN_UP_DATA } from '@deeb/core/invitations/invitation'
import * as v from 'valibot'
import { statement } from '../../db/db.ts'
import { LIMITS } from '../../limits/limits-table.ts'
import { eitherMail, mailed } from '../../mail/mail-budgets.ts'
import { lockAddress } from '../address/address-lock.ts'
import { requireEmail } from '../address/require-email.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { requireOpenDomain } from '../company/only-by-company.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { hashLinkToken } from '../links/link-token.ts'
import { newPassword } from '../password/new-password.ts'
import { unconfirmedUserAnswer } from '../user/user.ts'
import { signUpMetadata } from '../user/user-metadata.ts'
import { createFirstAccount, requireFirstToken } from './first-account.ts'
import { logSignUp, signUpParams } from './pending-sign-up.ts'

export const SignUpInput = v.object({
  email: v.optional(v.nullable(v.string())),
  password: v.optional(v.string()),
  data: v.optional(v.unknown()),
})

/*
 * Prevents user enumeration and timing attacks: writes the same rows whether or not the address has an account. With an account
 * the link is never emailed.
 *
 * There is one pending sign-up per address and caller network, so that a stranger cannot replace the password of the owner's
 * link. A link is replaced only if the new one is emailed.
 */
const signUpStatement = statement(
  'auth.sign-up',
  `with known as (
    select id from auth.users where email = :email
  ), room as (
    select from auth.pending_signups where email = :email and expires_at > :now
    having count(*) < ${LIMITS.pendingSignUps.max} or bool_or(caller_network = :network)
  ), mail as (
    ${eitherMail('confirm', 'exists (select from room)')} where is_known = exists (select from known)
  ), ${mailed()}, waiting as (
    insert into auth.pending_signups as before
      (id, email, caller_network, password_hash, browser_hash, user_meta, token_hash, created_at, expires_at)
    select :id, :email, :network, :passwordHash, :browserHash, :userMetadata, :tokenHash, :now, :now::timestamptz + interval '24 hours'
    from room
    on conflict (email, caller_network) do update set id = excluded.id, password_hash = excluded.password_hash,
      browser_hash = excluded.browser_hash,
      user_meta = excluded.user_meta, created_at = excluded.created_at, attempts = 0,
      token_hash = case when exists (select from mailed) then excluded.token_hash else before.token_hash end,
      expires_at = case when exists (select from mailed) then excluded.expires_at else before.expires_at end
  )
  ${logSignUp({ id: ':id' })}`,
)

/**
 * Stores a pending sign-up and sends an email: a confirmation link, or a notice that the account already exists. Throws
 * `signup_disabled`, `validation_failed`, `user_sso_managed`, `weak_password` and `anonymous_provider_disabled`. By the link to the first
 * account it creates that account and signs in, or throws `otp_expired`.
 *
 * Prevents user enumeration and timing attacks: response, duration and cost are the same in both cases.
 */
export async function signUp(auth: AuthDeps, input: v.InferOutput<typeof SignUpInput>, { caller, now }: Call) {
  if (!auth.config.isSignUpOn) throw new AuthError('signup_disabled')
  if (!input.email) throw new AuthError('anonymous_provider_disabled')
  const email = requireEmail(input.email)
  await requireOpenDomain(auth.db, email)
  const { [SIGN_UP_DATA.browser]: browser, [FIRST_ACCOUNT]: first, ...userMetadata } = signUpMetadata(input.data)
  if (first !== undefined) requireFirstToken(auth, first, now)
  const browserHash = isSecret(browser) ? hashLinkToken(browser) : null
  const password = newPassword(input.password ?? '', email, auth.passwordPolicy)
  const id = randomUUID()
  const passwordHash = await auth.passwords.hash(password)
  if (first !== undefined) return createFirstAccount(auth, { email, passwordHash, userMetadata }, { caller, now })
  await auth.db.transaction(async (db) => {
    await lockAddress(db, email)
    const params = await signUpParams(db, auth, { email, metadata: userMetadata, caller, now })
    await db.query(signUpStatement, {
      ...params,
      id,
      passwordHash,
      browserHash,
      userMetadata: JSON.stringify(userMetadata),
    })
  })
  auth.mailer.kick()
  return { body: unconfirmedUserAnswer({ id, email, userMetadata }, now), cookie: null }
}
