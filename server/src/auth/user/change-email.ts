import { randomUUID } from 'node:crypto'
import { type Db, statement } from '../../db/db.ts'
import { dropped, mayMail } from '../../mail/mail-budgets.ts'
import { addressTakenMail, emailChangeMail } from '../../mail/messages.ts'
import { lockAddress } from '../address/address-lock.ts'
import { IS_HOLDERS } from '../auth-session/auth-session.ts'
import type { Caller } from '../http/caller.ts'
import type { Principal } from '../http/principal.ts'
import { makeLinkToken } from '../links/link-token.ts'

const MAIL = { recipient: '$5', askedBy: '$2::uuid::text', now: '$3' }

/*
 * Writes as much for an address that has an account as for one that has none; whoever reads that mailbox is told which,
 * nobody else. The link of a taken address was mailed to nobody. A link to another address dies in either case, or it
 * would tell the requester which mail was sent.
 */
const request = statement(
  'auth.request-email-change',
  `with known as (
    select id from auth.users where email = $5
  ), mail as (
    select kind, subject, body, case when is_known then ${mayMail('already', MAIL)}
      else ${mayMail('email_change', MAIL)} end as is_allowed
    from (values (false, $7, $8, $9), (true, $10, $11, $12)) as mail (is_known, kind, subject, body)
    where is_known = exists (select from known)
  ), mailed as (
    insert into auth.outbox (id, kind, recipient, subject, body, asked_by, created_at, next_try_at)
    select $6, kind, $5, subject, body, $2::uuid::text, $3, $3 from mail where is_allowed
    returning id
  ), token as (
    insert into auth.one_time_tokens as before
      (id, user_id, token_type, token_hash, relates_to, created_at, expires_at)
    select $13, sessions.user_id, 'email_change', $14, $5, $3, $3::timestamptz + interval '30 minutes'
    from auth.sessions where ${IS_HOLDERS}
    on conflict (user_id, token_type) do update set id = excluded.id, token_hash = excluded.token_hash,
      relates_to = excluded.relates_to, created_at = excluded.created_at, expires_at = excluded.expires_at
      where before.relates_to <> excluded.relates_to or exists (select from mailed)
  )
  insert into auth.audit_log (at, action, user_id, ip, detail)
  select $3, 'email_change_requested', $2::uuid, $15, ${dropped('mail', 'mailed')}`,
)

/** Mails a link to the address that an account shall get. Nothing else changes before it is opened. */
export async function requestEmailChange(
  db: Db,
  publicUrl: string,
  { sessionId, userId, binding }: Principal,
  email: string,
  caller: Caller,
  now: Date,
): Promise<void> {
  await lockAddress(db, email)
  const { token, tokenHash } = makeLinkToken()
  const change = emailChangeMail(publicUrl, token)
  const taken = addressTakenMail(publicUrl)
  await db.query(request, [
    ...[sessionId, userId, now, binding, email, randomUUID()],
    ...[change.kind, change.subject, change.body],
    ...[taken.kind, taken.subject, taken.body],
    ...[randomUUID(), tokenHash, caller.ip],
  ])
}
