import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { statement } from '../../db/db.ts'
import { callerNetwork } from '../../limits/ip-network.ts'
import { dropped, mayMail } from '../../mail/mail-budgets.ts'
import { alreadyMail, confirmMail } from '../../mail/messages.ts'
import { lockAddress } from '../address/address-lock.ts'
import { requireEmail } from '../address/require-email.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Caller } from '../http/caller.ts'
import { makeLinkToken } from '../links/link-token.ts'
import { meantBy } from './pending-sign-up.ts'

export const ResendInput = z.object({ type: z.literal('signup'), email: z.string() })

const MAIL = { recipient: '$1', askedBy: '$12', now: '$2' }

/*
 * The link that was mailed before cannot be read back from its hash, so the sign-up gets another one. It is only
 * exchanged if the new one is really mailed: past the limit of mails the old link stays good.
 */
const resendStatement = statement(
  'auth.resend',
  `with known as (
    select id from auth.users where email = $1
  ), waiting as (
    select id from auth.pending_signups where email = $1 and not exists (select from known) ${meantBy('$12')}
  ), mail as (
    select kind, subject, body, case when is_known then ${mayMail('already', MAIL)}
      else ${mayMail('confirm', MAIL)} end as is_allowed
    from (values (false, $5, $6, $7), (true, $8, $9, $10)) as mail (is_known, kind, subject, body)
    where exists (select from known) and is_known or exists (select from waiting) and not is_known
  ), mailed as (
    insert into auth.outbox (id, kind, recipient, subject, body, asked_by, created_at, next_try_at)
    select $4, kind, $1, subject, body, $12, $2, $2 from mail where is_allowed
    returning id
  ), renewed as (
    update auth.pending_signups set token_hash = $3, attempts = 0, expires_at = $2::timestamptz + interval '24 hours'
    where id = (select id from waiting) and exists (select from mailed)
  )
  insert into auth.audit_log (at, action, user_id, ip, detail)
  select $2, case when exists (select from known) then 'signup_repeated' else 'signup_requested' end,
    coalesce((select id from known), (select id from waiting)), $11,
    '{"resend": true}'::jsonb || ${dropped('mail', 'mailed')}`,
)

/**
 * Mails a new link for the caller's own sign-up of an address, else the newest, expired or not; or word that there is an
 * account already. The answer never tells which, or that neither was sent. Throws `validation_failed`.
 */
export async function resend(auth: AuthDeps, input: z.output<typeof ResendInput>, caller: Caller, now: Date) {
  const email = requireEmail(input.email)
  const { token, tokenHash } = makeLinkToken()
  const confirm = confirmMail(auth.config.publicUrl, token)
  const already = alreadyMail(auth.config.publicUrl)
  await auth.db.transaction(async (db) => {
    await lockAddress(db, email)
    await db.query(resendStatement, [
      email,
      now,
      tokenHash,
      randomUUID(),
      confirm.kind,
      confirm.subject,
      confirm.body,
      already.kind,
      already.subject,
      already.body,
      caller.ip,
      callerNetwork(caller.ip),
    ])
  })
  auth.mailer.kick()
  return {}
}
