import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { deleteWebhook as endpoint } from '@deeb/core/webhooks/api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'

/* A switch that runs concurrently may still queue a message. It is never sent, and purged within the hour. */
const remove = statement(
  'webhooks.delete',
  `with gone as (delete from webhook_endpoints where id = :id and user_id = :userId returning id)
  delete from webhook_deliveries using gone where endpoint_id = gone.id`,
)

/** Deletes a webhook of the actor with its messages. Idempotent. */
export async function deleteWebhook(
  db: Db,
  { userId }: Actor,
  { id }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  await db.query(remove, { id, userId })
  return { deleted: true }
}
