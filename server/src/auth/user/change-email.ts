import { randomUUID } from 'node:crypto'
import { type Db, statement } from '../../db/db.ts'
import { DROPPED_MAIL, eitherMail, eitherMailParams, mailed } from '../../mail/mail-budgets.ts'
import { addressTakenMail, emailChangeMail } from '../../mail/messages.ts'
import { lockAddress } from '../address/address-lock.ts'
import { auditInsert } from '../audit-insert.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_PRINCIPALS } from '../auth-session/auth-session.ts'
import type { Call } from '../http/caller.ts'
import { makeLinkToken } from '../links/link-token.ts'

/*
 * Prevents user enumeration: writes the same rows whether or not the address has an account. Only the email to that address
 * differs, and the link for a taken address is never emailed. The limits of the two emails differ, so only the hash of the link, which
 * the requester never sees, may depend on whether one was sent: beyond the limit the link to the same address stays.
 */
const request = statement(
  'auth.request-email-change',
  `with known as (
    select id from auth.users where email = :email
  ), mail as (
    ${eitherMail('email_change')} where is_known = exists (select from known)
  ), ${mailed('coalesce((select language from profiles where id = :userId::uuid), :mailLanguage)')}, token as (
    insert into auth.one_time_tokens as before
      (id, user_id, token_type, token_hash, relates_to, created_at, expires_at)
    select :tokenId, sessions.user_id, 'email_change', :tokenHash, :email, :now, :now::timestamptz + interval '30 minutes'
    from auth.sessions where ${IS_PRINCIPALS}
    on conflict (user_id, token_type) do update set id = excluded.id, relates_to = excluded.relates_to,
      token_hash = case when before.relates_to <> excluded.relates_to or exists (select from mailed)
        then excluded.token_hash else before.token_hash end,
      created_at = excluded.created_at, expires_at = excluded.expires_at
  )
  ${auditInsert({ action: "'email_change_requested'", userId: ':userId::uuid', detail: DROPPED_MAIL })}`,
)

/** Emails a confirmation link to the new address of an account. The address changes only when the link is opened. */
export async function requestEmailChange(
  db: Db,
  publicUrl: string,
  { sessionId, userId, binding }: Principal,
  email: string,
  { caller, now }: Call,
): Promise<void> {
  await lockAddress(db, email)
  const { token, tokenHash } = makeLinkToken()
  const emails = { unknown: emailChangeMail(publicUrl, token), known: addressTakenMail(publicUrl) }
  await db.query(request, {
    sessionId,
    userId,
    binding,
    now,
    ip: caller.ip,
    email,
    askedBy: userId,
    tokenId: randomUUID(),
    tokenHash,
    ...eitherMailParams(emails, caller.language),
  })
}
