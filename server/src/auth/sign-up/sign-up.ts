import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { statement } from '../../db/db.ts'
import { LIMITS } from '../../limits/limits-table.ts'
import { eitherMail, MAILED } from '../../mail/mail-budgets.ts'
import { lockAddress } from '../address/address-lock.ts'
import { requireEmail } from '../address/require-email.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Caller } from '../http/caller.ts'
import { newPassword } from '../password/new-password.ts'
import { unconfirmedUserAnswer } from '../user/user.ts'
import { signUpMetadata } from '../user/user-metadata.ts'
import { logSignUp, signUpParams } from './pending-sign-up.ts'

export const SignUpInput = z.object({
  email: z.optional(z.nullable(z.string())),
  password: z.optional(z.string()),
  data: z.optional(z.unknown()),
})

/*
 * Writes the same for an address that has an account as for one that has none: there a sign-up waits too, but its link is
 * never mailed. Each has a password and a link of its own, so that somebody else's sign-up does not change what the owner's
 * link does. A new one replaces only that of the same caller network, and its link only together with a mail.
 */
const signUpStatement = statement(
  'auth.sign-up',
  `with known as (
    select id from auth.users where email = :email
  ), room as (
    select from auth.pending_signups where email = :email and expires_at > :now
    having count(*) < ${LIMITS.waitingSignUps.rule.max} or bool_or(caller_network = :network)
  ), mail as (
    ${eitherMail('confirm', 'exists (select from room)')} where is_known = exists (select from known)
  ), ${MAILED}, waiting as (
    insert into auth.pending_signups as before
      (id, email, caller_network, password_hash, user_meta, token_hash, created_at, expires_at)
    select :id, :email, :network, :passwordHash, :userMetadata, :tokenHash, :now, :now::timestamptz + interval '24 hours'
    from room
    on conflict (email, caller_network) do update set id = excluded.id, password_hash = excluded.password_hash,
      user_meta = excluded.user_meta, created_at = excluded.created_at, attempts = 0,
      token_hash = case when exists (select from mailed) then excluded.token_hash else before.token_hash end,
      expires_at = case when exists (select from mailed) then excluded.expires_at else before.expires_at end
  )
  ${logSignUp({ id: ':id' })}`,
)

/**
 * Takes a sign-up in and sends a mail: the link that confirms it, or word that there is an account already. The answer,
 * its time and its cost are the same in both cases. Throws `validation_failed`, `weak_password` and
 * `anonymous_provider_disabled`.
 */
export async function signUp(auth: AuthDeps, input: z.output<typeof SignUpInput>, caller: Caller, now: Date) {
  if (!input.email) throw new AuthError('anonymous_provider_disabled')
  const email = requireEmail(input.email)
  const userMetadata = signUpMetadata(input.data)
  const password = newPassword(input.password ?? '', email, auth.passwordPolicy)
  const id = randomUUID()
  const passwordHash = await auth.passwords.hash(password)
  await auth.db.transaction(async (db) => {
    await lockAddress(db, email)
    const params = signUpParams(auth.config.publicUrl, email, caller, now)
    await db.query(signUpStatement, { ...params, id, passwordHash, userMetadata: JSON.stringify(userMetadata) })
  })
  auth.mailer.kick()
  return unconfirmedUserAnswer({ id, email, userMetadata }, now)
}
