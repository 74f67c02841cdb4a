import type { OutputOf } from '@deeb/core/endpoint'
import type { readWebhooks as endpoint } from '@deeb/core/webhooks/api'
import type { Actor } from '../lib/actor.ts'
import type { WebhookDeps } from './create-webhook.ts'
import { readWebhookRows, webhookOf } from './webhook-row.ts'

/** The webhooks of the actor, the oldest first. */
export async function readWebhooks(
  { db, config }: Pick<WebhookDeps, 'db' | 'config'>,
  { userId }: Actor,
): Promise<OutputOf<typeof endpoint>> {
  return { isOffered: config.webhooks, webhooks: (await readWebhookRows(db, userId)).map(webhookOf) }
}
