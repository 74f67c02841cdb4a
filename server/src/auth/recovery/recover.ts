import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { statement } from '../../db/db.ts'
import { callerNetwork } from '../../limits/ip-network.ts'
import { DROPPED_MAIL, mailed, mayMail } from '../../mail/mail-budgets.ts'
import { movedAddressMail, recoveryMail } from '../../mail/messages.ts'
import { mailParams } from '../../mail/outbox-insert.ts'
import { lockAddress } from '../address/address-lock.ts'
import { requireEmail } from '../address/require-email.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { requireOpenDomain } from '../company/only-by-company.ts'
import type { Call } from '../http/caller.ts'
import { makeLinkToken } from '../links/link-token.ts'
import { IS_MOVED_BY_DIRECTORY } from '../user/move-address.ts'

export const RecoverInput = v.object({ email: v.string() })

/*
 * Replaces the previous link only if the new one is emailed. The rate limit per recipient has the same duration as a link, so
 * that the newest link still works when the limit is reached.
 */
const recoverStatement = statement(
  'auth.recover',
  `with person as (
    select id, ${IS_MOVED_BY_DIRECTORY} as is_moved from auth.users where email = :email
  ), mail as (
    select :kind::text as kind, case when is_moved then :movedTexts::text else :mailTexts end as texts,
      ${mayMail('recovery')} as is_allowed
    from person
  ), ${mailed()}, token as (
    insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, expires_at)
    select :tokenId, id, 'recovery', :tokenHash, :email, :now, :now::timestamptz + interval '30 minutes' from person
    where exists (select from mailed) and not is_moved
    on conflict (user_id, token_type) do update set id = excluded.id, token_hash = excluded.token_hash,
      relates_to = excluded.relates_to, created_at = excluded.created_at, expires_at = excluded.expires_at, by_admin = false
  )
  ${auditInsert({ action: "'recovery_requested'", userId: '(select id from person)', detail: DROPPED_MAIL })}`,
)

/**
 * Emails a recovery link to the owner of an address. Throws `validation_failed` and `user_sso_managed`.
 *
 * Prevents user enumeration and timing attacks: an unknown address has the same response and cost.
 */
export async function recover(auth: AuthDeps, input: v.InferOutput<typeof RecoverInput>, { caller, now }: Call) {
  const email = requireEmail(input.email)
  await requireOpenDomain(auth.db, email)
  const { token, tokenHash } = makeLinkToken()
  await auth.db.transaction(async (db) => {
    await lockAddress(db, email)
    await db.query(recoverStatement, {
      email,
      now,
      ip: caller.ip,
      askedBy: callerNetwork(caller.ip),
      tokenId: randomUUID(),
      tokenHash,
      movedTexts: JSON.stringify(movedAddressMail('recovery').texts),
      ...mailParams(recoveryMail(auth.config.publicUrl, token), caller.language),
    })
  })
  auth.mailer.kick()
  return {}
}
