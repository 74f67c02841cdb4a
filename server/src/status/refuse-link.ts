import { CHAT_SYSTEM_FACTS } from '@deeb/core/status/systems'
import { type Db, statement } from '../db/db.ts'
import { chatRefusedMail } from '../mail/messages.ts'
import { mailParams, outboxInsert } from '../mail/outbox-insert.ts'
import type { ClaimedSignal } from './claim-signals.ts'

/* Only the first refusal of these tokens counts, so that one email is written. An ended link is deleted with its tokens. */
const refuse = statement(
  'status.refuse-link',
  `with refused as (
    update status_links set credentials = null, refused_at = :now, refreshing_until = null, test_until = null
    where id = :linkId and linked_at = :linkedAt and user_id is not null and credentials is not null
    returning id, user_id
  ), cleared as (
    update status_signals set memo = null, lease_until = null, renew_at = null, done_wish = null, result = 'failed', result_at = :now
    from refused where link_id = refused.id
  ), gone as (
    delete from status_links where id = :linkId and user_id is null
  )
  ${outboxInsert({ recipient: 'users.email', from: 'refused join auth.users on users.id = refused.user_id' })}`,
)

interface RefuseDeps {
  db: Db
  mailer: { kick(): void }
  now(): Date
}

/** Deletes the tokens of a link that its system has refused, and writes one email to its person. */
export async function refuseLink(
  { db, mailer, now }: RefuseDeps,
  { linkId, linkedAt, system }: Pick<ClaimedSignal, 'linkId' | 'linkedAt' | 'system'>,
): Promise<void> {
  const mail = mailParams(chatRefusedMail(CHAT_SYSTEM_FACTS[system].name))
  await db.query(refuse, { linkId, linkedAt, now: now(), ...mail })
  mailer.kick()
}
