import {
  sendAgain as againEndpoint,
  createWebhook as createEndpoint,
  deleteWebhook as deleteEndpoint,
  readDeliveries as deliveriesEndpoint,
  readWebhooks as readEndpoint,
  replaceWebhookSecret as secretEndpoint,
  testWebhook as testEndpoint,
  updateWebhook as updateEndpoint,
} from '@deeb/core/webhooks/api'
import type { RouteDeps } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { createWebhook, type WebhookDeps } from './create-webhook.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { readDeliveries } from './read-deliveries.ts'
import { readWebhooks } from './read-webhooks.ts'
import { replaceWebhookSecret } from './replace-webhook-secret.ts'
import { sendAgain } from './send-again.ts'
import { testWebhook } from './test-webhook.ts'
import { updateWebhook } from './update-webhook.ts'

export function webhooksRoutes({ serve, ...deps }: Pick<RouteDeps, 'serve'> & WebhookDeps): void {
  const { db } = deps
  serve(readEndpoint, LIMITS.read, ({ actor }) => readWebhooks(deps, actor))
  serve(createEndpoint, LIMITS.changeWebhook, ({ actor, input, now }) => createWebhook(deps, actor, input, now))
  serve(updateEndpoint, LIMITS.changeWebhook, ({ actor, input, now }) => updateWebhook(deps, actor, input, now))
  serve(secretEndpoint, LIMITS.changeWebhook, ({ actor, input, now }) => replaceWebhookSecret(deps, actor, input, now))
  serve(deleteEndpoint, LIMITS.changeWebhook, ({ actor, input }) => deleteWebhook(db, actor, input))
  serve(testEndpoint, LIMITS.sendWebhook, ({ actor, input, now }) => testWebhook(db, actor, input, now))
  serve(deliveriesEndpoint, LIMITS.read, ({ actor, input, now }) => readDeliveries(db, actor, input, now))
  serve(againEndpoint, LIMITS.sendWebhook, ({ actor, input, now }) => sendAgain(db, actor, input, now))
}
