import * as v from 'valibot'
import { statement } from '../../db/db.ts'
import { callerNetwork } from '../../limits/ip-network.ts'
import { DROPPED_MAIL, eitherMail, mailed } from '../../mail/mail-budgets.ts'
import { lockAddress } from '../address/address-lock.ts'
import { requireEmail } from '../address/require-email.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { requireOpenDomain } from '../company/only-by-company.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import type { UserMetadata } from '../user/user-metadata.ts'
import { logSignUp, OWN_NETWORK_FIRST, signUpParams } from './pending-sign-up.ts'

export const ResendInput = v.object({ type: v.literal('signup'), email: v.string() })

/*
 * Replaces the link, since only the hash of the old one is stored. Beyond the email limit nothing is replaced, so that the old
 * link still works.
 */
const resendStatement = statement(
  'auth.resend',
  `with known as (
    select id from auth.users where email = :email
  ), waiting as (
    select id from auth.pending_signups where email = :email and not exists (select from known) ${OWN_NETWORK_FIRST}
  ), mail as (
    ${eitherMail('confirm')}
    where exists (select from known) and is_known or exists (select from waiting) and not is_known
  ), ${mailed()}, renewed as (
    update auth.pending_signups
    set token_hash = :tokenHash, attempts = 0, expires_at = :now::timestamptz + interval '24 hours'
    where id = (select id from waiting) and exists (select from mailed)
  )
  ${logSignUp({ id: '(select id from waiting)', detail: `'{"resend": true}'::jsonb || ${DROPPED_MAIL}` })}`,
)

const readMetadata = statement(
  'auth.resend-metadata',
  `select user_meta as metadata from auth.pending_signups where email = :email ${OWN_NETWORK_FIRST}`,
)

/**
 * Emails a new link for a pending sign-up, expired or not, or a notice that the account already exists. Picks the sign-up of the
 * caller's network, else the newest. Throws `signup_disabled`, `validation_failed` and `user_sso_managed`.
 *
 * Prevents user enumeration: the response is the same whether either email or none was sent.
 */
export async function resend(auth: AuthDeps, input: v.InferOutput<typeof ResendInput>, { caller, now }: Call) {
  if (!auth.config.isSignUpOn) throw new AuthError('signup_disabled')
  const email = requireEmail(input.email)
  await requireOpenDomain(auth.db, email)
  await auth.db.transaction(async (db) => {
    await lockAddress(db, email)
    const [waiting] = await db.query<{ metadata: UserMetadata }>(readMetadata, {
      email,
      network: callerNetwork(caller.ip),
    })
    const params = await signUpParams(db, auth, { email, metadata: waiting?.metadata ?? {}, caller, now })
    await db.query(resendStatement, params)
  })
  auth.mailer.kick()
  return {}
}
