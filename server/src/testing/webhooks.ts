import { createWebhook } from '@deeb/core/webhooks/api'
import { WEBHOOK_EVENTS, type WebhookEvent } from '@deeb/core/webhooks/events'
import { createFetchOutside } from '../outside/fetch-outside.ts'
import { createWebhookDelivery } from '../webhooks/delivery.ts'
import type { MadeUser } from './make.ts'
import type { TestApp } from './test-app.ts'
import type { Receiver } from './webhook-receiver.ts'

/** Adds a webhook of a user at this receiver. */
export async function addWebhook(
  testApp: TestApp,
  user: MadeUser,
  { url }: Pick<Receiver, 'url'>,
  events: WebhookEvent[] = [...WEBHOOK_EVENTS],
): Promise<{ id: string; secret: string }> {
  const { status, body } = await testApp.call(createWebhook, { url, events }, user)
  if (status !== 200) throw new Error(`The webhook was answered with ${status}: ${JSON.stringify(body)}`)
  return { id: body.webhook.id, secret: body.secret }
}

/** Sends the due messages of a test app until none is due, as a server does. */
export async function deliverWebhooks({ auth, db, clock }: TestApp): Promise<void> {
  const errors: Error[] = []
  const delivery = createWebhookDelivery({
    ...{ db, keys: auth.keys, now: clock.now, publicUrl: auth.config.publicUrl },
    fetchOutside: createFetchOutside({ allow: auth.config.webhookAllow }),
    onFailure: () => undefined,
    onError: (error) => errors.push(error),
  })
  delivery.kick()
  await delivery.idle()
  const [error] = errors
  if (error) throw error
}
