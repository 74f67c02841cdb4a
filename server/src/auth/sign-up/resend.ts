import * as z from 'zod/mini'
import { statement } from '../../db/db.ts'
import { DROPPED_MAIL, eitherMail, MAILED } from '../../mail/mail-budgets.ts'
import { lockAddress } from '../address/address-lock.ts'
import { requireEmail } from '../address/require-email.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Caller } from '../http/caller.ts'
import { logSignUp, MEANT_FIRST, signUpParams } from './pending-sign-up.ts'

export const ResendInput = z.object({ type: z.literal('signup'), email: z.string() })

/*
 * The link that was mailed before cannot be read back from its hash, so the sign-up gets another one. It is only
 * exchanged if the new one is really mailed: past the limit of mails the old link stays good.
 */
const resendStatement = statement(
  'auth.resend',
  `with known as (
    select id from auth.users where email = :email
  ), waiting as (
    select id from auth.pending_signups where email = :email and not exists (select from known) ${MEANT_FIRST}
  ), mail as (
    ${eitherMail('confirm')}
    where exists (select from known) and is_known or exists (select from waiting) and not is_known
  ), ${MAILED}, renewed as (
    update auth.pending_signups
    set token_hash = :tokenHash, attempts = 0, expires_at = :now::timestamptz + interval '24 hours'
    where id = (select id from waiting) and exists (select from mailed)
  )
  ${logSignUp({ id: '(select id from waiting)', detail: `'{"resend": true}'::jsonb || ${DROPPED_MAIL}` })}`,
)

/**
 * Mails a new link for the caller's own sign-up of an address, else the newest, expired or not; or word that there is an
 * account already. The answer never tells which, or that neither was sent. Throws `validation_failed`.
 */
export async function resend(auth: AuthDeps, input: z.output<typeof ResendInput>, caller: Caller, now: Date) {
  const email = requireEmail(input.email)
  await auth.db.transaction(async (db) => {
    await lockAddress(db, email)
    await db.query(resendStatement, signUpParams(auth.config.publicUrl, email, caller, now))
  })
  auth.mailer.kick()
  return {}
}
