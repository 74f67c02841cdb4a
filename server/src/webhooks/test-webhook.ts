import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { testWebhook as endpoint } from '@deeb/core/webhooks/api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { GIVES_UP_AFTER } from './queue-deliveries.ts'

const insert = statement(
  'webhooks.test',
  `insert into webhook_deliveries (id, user_id, endpoint_id, type, data, created_at, expires_at, next_try_at)
  select gen_random_uuid(), user_id, id, 'webhook.test', '{}', :now, :now::timestamptz + ${GIVES_UP_AFTER}, :now
  from webhook_endpoints where id = :id and user_id = :userId and off_reason is null
  returning id as "deliveryId"`,
)

/** Queues the event `webhook.test`. Refuses with `not_found` if the webhook is another user's or off. */
export async function testWebhook(
  db: Db,
  { userId }: Actor,
  { id }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const [row] = await db.query<{ deliveryId: string }>(insert, { id, userId, now })
  if (!row) throw new Refusal('not_found')
  return row
}
