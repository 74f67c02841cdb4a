import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { updateWebhook as endpoint } from '@deeb/core/webhooks/api'
import { withUserLock } from '../auth/user/user-lock.ts'
import { statement } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { webhookAddedMail } from '../mail/messages.ts'
import { mailParams, outboxInsert } from '../mail/outbox-insert.ts'
import { distinct, type WebhookDeps } from './create-webhook.ts'
import { noteEarlierGoals } from './notice-goals.ts'
import { requireAllowedHost, requireOutsideUrl } from './outside-url.ts'
import { requireProof } from './require-proof.ts'
import { readWebhookRows, WEBHOOK_COLUMNS, type WebhookRow, webhookOf } from './webhook-row.ts'

/* Another URL, or a switch to on, starts with a clean record. */
const update = statement(
  'webhooks.update',
  `with changed as (
    update webhook_endpoints set url = :url, events = :events::text[],
      failing_since = case when url = :url and (off_reason is null or not :isOn) then failing_since end,
      off_reason = case when :isOn then null else coalesce(off_reason, 'person') end
    where id = :id and user_id = :userId
    returning *
  ), mailed as (
    ${outboxInsert({ recipient: 'users.email', from: 'changed join auth.users on users.id = changed.user_id where :isMoved' })}
  )
  select ${WEBHOOK_COLUMNS} from changed`,
)

/** Changes a webhook, or switches it on or off. Idempotent. Refuses with `not_found`, and like createWebhook() for another URL. */
export async function updateWebhook(
  { db, config }: Pick<WebhookDeps, 'db' | 'config'>,
  actor: SignedInActor,
  { id, url, events, isOn }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const { userId } = actor
  const href = requireOutsideUrl(url, config)
  if (isOn) await requireAllowedHost(href, config)
  const mail = mailParams(webhookAddedMail(config.publicUrl))
  const [row] = await withUserLock(db, userId, async (db) => {
    const before = (await readWebhookRows(db, userId)).find((webhook) => webhook.id === id)
    if (!before) throw new Refusal('not_found')
    const isMoved = before.url !== href
    if (isMoved) await requireProof(db, actor, now)
    if (isOn && events.includes('goal.reached')) await noteEarlierGoals(db, userId, now)
    const values = { id, userId, url: href, events: distinct(events), isOn, isMoved, now, ...mail }
    return db.query<WebhookRow>(update, values)
  })
  if (!row) throw new Refusal('not_found')
  return { webhook: webhookOf(row) }
}
