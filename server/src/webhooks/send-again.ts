import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { sendAgain as endpoint } from '@deeb/core/webhooks/api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { GIVES_UP_AFTER } from './queue-deliveries.ts'

/* One that is being sent is left alone. */
const requeue = statement(
  'webhooks.send-again',
  `update webhook_deliveries as delivery set attempts = 0, delivered_at = null, status = null, failure = null,
    expires_at = :now::timestamptz + ${GIVES_UP_AFTER}, next_try_at = :now
  from webhook_endpoints as endpoint
  where delivery.id = :id and delivery.user_id = :userId and endpoint.id = endpoint_id and off_reason is null
    and delivery.created_at > :now::timestamptz - interval '7 days' and coalesce(leased_until <= :now, true)
  returning 1`,
)

/** Queues a message again, with the same id and text. Refuses with `not_found` if it is another user's, too old, being sent, or its webhook is off. */
export async function sendAgain(
  db: Db,
  { userId }: Actor,
  { id }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  if ((await db.query(requeue, { id, userId, now })).length === 0) throw new Refusal('not_found')
  return { queued: true }
}
