import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { statement } from '../../db/db.ts'
import { callerNetwork } from '../../limits/ip-network.ts'
import { dropped, mayMail } from '../../mail/mail-budgets.ts'
import { recoveryMail } from '../../mail/messages.ts'
import { lockAddress } from '../address/address-lock.ts'
import { requireEmail } from '../address/require-email.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Caller } from '../http/caller.ts'
import { makeLinkToken } from '../links/link-token.ts'

export const RecoverInput = z.object({ email: z.string() })

const MAIL = { recipient: '$1', askedBy: '$10', now: '$2' }

/*
 * The link before it dies only if the new one is really mailed. The budget of a recipient lasts as long as a link, so
 * that whenever it is used up the newest link still works, no matter who asked for it.
 */
const recoverStatement = statement(
  'auth.recover',
  `with person as (
    select id from auth.users where email = $1
  ), mail as (
    select $4::text as kind from person
  ), mailed as (
    insert into auth.outbox (id, kind, recipient, subject, body, asked_by, created_at, next_try_at)
    select $3, kind, $1, $5, $6, $10, $2, $2 from mail where ${mayMail('recovery', MAIL)}
    returning id
  ), token as (
    insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, expires_at)
    select $7, id, 'recovery', $8, $1, $2, $2::timestamptz + interval '30 minutes' from person
    where exists (select from mailed)
    on conflict (user_id, token_type) do update set id = excluded.id, token_hash = excluded.token_hash,
      relates_to = excluded.relates_to, created_at = excluded.created_at, expires_at = excluded.expires_at
  )
  insert into auth.audit_log (at, action, user_id, ip, detail)
  select $2, 'recovery_requested', (select id from person), $9, ${dropped('mail', 'mailed')}`,
)

/**
 * Mails the owner of an address a link that signs them in for a new password. The answer and its cost are the same for an
 * address that nobody has. Throws `validation_failed`.
 */
export async function recover(auth: AuthDeps, input: z.output<typeof RecoverInput>, caller: Caller, now: Date) {
  const email = requireEmail(input.email)
  const { token, tokenHash } = makeLinkToken()
  const { kind, subject, body } = recoveryMail(auth.config.publicUrl, token)
  await auth.db.transaction(async (db) => {
    await lockAddress(db, email)
    const mail = [email, now, randomUUID(), kind, subject, body]
    const asker = [caller.ip, callerNetwork(caller.ip)]
    await db.query(recoverStatement, [...mail, randomUUID(), tokenHash, ...asker])
  })
  auth.mailer.kick()
  return {}
}
