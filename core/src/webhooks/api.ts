import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Instant, Int, maxCharacters, Uuid } from '../formats.ts'
import { WEBHOOK_EVENTS } from './events.ts'

/** How many webhooks a person can have. */
export const MAX_WEBHOOKS = 10
/** How long the secret before a new one still signs, unless it leaked. */
export const OLD_SECRET_HOURS = 24

const id = Uuid
const url = v.pipe(v.string(), maxCharacters(2_000))
const events = v.pipe(v.array(v.picklist(WEBHOOK_EVENTS)), v.minLength(1), v.maxLength(WEBHOOK_EVENTS.length))
const secret = v.string()

const Webhook = v.object({
  id,
  url,
  events,
  createdAt: Instant,
  /**
   * Why nothing is sent. Null while it is on. `person`: switched off; `failing`: 3 days of failures; `gone`: the answer 410; `security`:
   * all other devices were signed out, the password or the address changed, or the person left the company.
   */
  offReason: v.nullable(v.picklist(['person', 'failing', 'gone', 'security'])),
  /** Since when no message has arrived. Null if the last one did. */
  failingSince: v.nullable(Instant),
})
export type Webhook = v.InferOutput<typeof Webhook>

const Delivery = v.object({
  id,
  type: v.string(),
  createdAt: Instant,
  attempts: Int,
  /** The time of the last attempt. */
  triedAt: v.nullable(Instant),
  deliveredAt: v.nullable(Instant),
  /** Null once it is delivered or given up. */
  nextTryAt: v.nullable(Instant),
  /** The status of the last answer, else why there was none. */
  status: v.nullable(Int),
  failure: v.nullable(v.picklist(['invalid_url', 'no_public_address', 'redirect', 'timeout', 'unreachable'])),
})
export type Delivery = v.InferOutput<typeof Delivery>

export const readWebhooks = endpoint({
  method: 'GET',
  path: '/api/webhooks',
  summary: 'Read the webhooks of the caller, without their secrets.',
  input: v.object({}),
  output: v.object({
    /** Whether this server sends webhooks. */
    isOffered: v.boolean(),
    webhooks: v.array(Webhook),
  }),
})

export const createWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks',
  summary:
    'Add a webhook of the caller: at most 10. Needs a recent proof. The secret is answered here only. `invalid_input` for a URL that is not https, or not on the Internet and not in a network that the administrator allows.',
  input: v.object({ url, events }),
  output: v.object({ webhook: Webhook, secret }),
})

export const updateWebhook = endpoint({
  method: 'PUT',
  path: '/api/webhooks',
  summary: 'Change a webhook of the caller, or switch it on or off. Another URL needs a recent proof.',
  input: v.object({ id, url, events, isOn: v.boolean() }),
  output: v.object({ webhook: Webhook }),
})

export const replaceWebhookSecret = endpoint({
  method: 'POST',
  path: '/api/webhooks/secret',
  summary:
    'Replace the secret of a webhook of the caller. Needs a recent proof. The old one signs too for 24 hours, unless `isLeaked`. The secret is answered here only.',
  input: v.object({ id, isLeaked: v.boolean() }),
  output: v.object({ secret }),
})

export const deleteWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/delete',
  summary: 'Delete a webhook of the caller with its messages. Idempotent.',
  input: v.object({ id }),
  output: v.object({ deleted: v.literal(true) }),
})

export const testWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/test',
  summary: 'Send the event `webhook.test` to a webhook of the caller that is on.',
  input: v.object({ id }),
  output: v.object({ deliveryId: id }),
})

export const readDeliveries = endpoint({
  method: 'GET',
  path: '/api/webhooks/deliveries',
  summary: 'Read the newest 100 messages of the last 7 days of a webhook of the caller.',
  input: v.object({ id }),
  output: v.object({ deliveries: v.array(Delivery) }),
})

export const sendAgain = endpoint({
  method: 'POST',
  path: '/api/webhooks/deliveries/again',
  summary: 'Send a message of the last 7 days again, with the same id, to a webhook of the caller that is on.',
  input: v.object({ id }),
  output: v.object({ queued: v.literal(true) }),
})
