import { randomUUID } from 'node:crypto'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { createWebhook as endpoint } from '@deeb/core/webhooks/api'
import { seal } from '../auth/factors/seal.ts'
import { withUserLock } from '../auth/user/user-lock.ts'
import type { Config } from '../config/config.ts'
import type { Keys } from '../config/keys.ts'
import { type Db, statement } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { webhookAddedMail } from '../mail/messages.ts'
import { mailParams, outboxInsert } from '../mail/outbox-insert.ts'
import { noteEarlierGoals } from './notice-goals.ts'
import { requireAllowedHost, requireOutsideUrl } from './outside-url.ts'
import { requireProof } from './require-proof.ts'
import { makeSecret } from './sign.ts'
import { WEBHOOK_COLUMNS, type WebhookRow, webhookOf } from './webhook-row.ts'

export interface WebhookDeps {
  db: Db
  keys: Pick<Keys, 'sealKeys'>
  config: Pick<Config, 'publicUrl' | 'webhooks' | 'webhookAllow'>
}

const insert = statement(
  'webhooks.insert',
  `with made as (
    insert into webhook_endpoints (id, user_id, url, events, secret, created_at)
    select :id, :userId, :url, :events::text[], :sealed, :now
    where (select count(*) from webhook_endpoints where user_id = :userId) < ${LIMITS.webhooks.max}
    returning *
  ), mailed as (
    ${outboxInsert({ recipient: 'users.email', from: 'made join auth.users on users.id = made.user_id' })}
  )
  select ${WEBHOOK_COLUMNS} from made`,
)

/** Adds a webhook. Refuses with `proof_needed`, with `too_many_webhooks`, and with `invalid_input` for a URL that may not be called. */
export async function createWebhook(
  { db, keys, config }: WebhookDeps,
  actor: SignedInActor,
  { url, events }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const { userId } = actor
  const href = requireOutsideUrl(url, config)
  await requireAllowedHost(href, config)
  const [id, secret] = [randomUUID(), makeSecret()]
  const sealed = seal(keys.sealKeys[0], Buffer.from(secret), id)
  const mail = mailParams(webhookAddedMail(config.publicUrl))
  // The lock lets the limit hold for concurrent calls.
  const [row] = await withUserLock(db, userId, async (db) => {
    await requireProof(db, actor, now)
    if (events.includes('goal.reached')) await noteEarlierGoals(db, userId, now)
    return db.query<WebhookRow>(insert, { id, userId, url: href, events: distinct(events), sealed, now, ...mail })
  })
  if (!row) throw new Refusal('too_many_webhooks')
  return { webhook: webhookOf(row), secret }
}

export function distinct<Item>(items: Item[]): Item[] {
  return [...new Set(items)]
}
