import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { WEBHOOK_EVENTS } from './events.ts'

/** How many webhooks a person can have. */
export const MAX_WEBHOOKS = 10
/** How long the secret before a new one still signs, unless it leaked. */
export const OLD_SECRET_HOURS = 24

const id = z.uuid()
const url = z.string().check(z.maxLength(2_000))
const events = z.array(z.enum(WEBHOOK_EVENTS)).check(z.minLength(1), z.maxLength(WEBHOOK_EVENTS.length))
const secret = z.string()

const Webhook = z.object({
  id,
  url,
  events,
  createdAt: z.iso.datetime(),
  /**
   * Why nothing is sent. Null while it is on. `person`: switched off; `failing`: 3 days of failures; `gone`: the answer 410; `security`:
   * all other devices were signed out, the password or the address changed, or the person left the company.
   */
  offReason: z.nullable(z.enum(['person', 'failing', 'gone', 'security'])),
  /** Since when no message has arrived. Null if the last one did. */
  failingSince: z.nullable(z.iso.datetime()),
})
export type Webhook = z.output<typeof Webhook>

const Delivery = z.object({
  id,
  type: z.string(),
  createdAt: z.iso.datetime(),
  attempts: z.int(),
  /** Of the last attempt. */
  triedAt: z.nullable(z.iso.datetime()),
  deliveredAt: z.nullable(z.iso.datetime()),
  /** Null once it is delivered or given up. */
  nextTryAt: z.nullable(z.iso.datetime()),
  /** The status of the last answer, else why there was none. */
  status: z.nullable(z.int()),
  failure: z.nullable(z.enum(['invalid_url', 'no_public_address', 'redirect', 'timeout', 'unreachable'])),
})
export type Delivery = z.output<typeof Delivery>

export const readWebhooks = endpoint({
  method: 'GET',
  path: '/api/webhooks',
  summary: 'Read the webhooks of the caller, without their secrets.',
  input: z.object({}),
  output: z.object({
    /** Whether this server sends webhooks. */
    isOffered: z.boolean(),
    webhooks: z.array(Webhook),
  }),
})

export const createWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks',
  summary:
    'Add a webhook of the caller: at most 10. Needs a recent proof. The secret is answered here only. `invalid_input` for a URL that is not https, or not on the Internet and not in a network that the administrator allows.',
  input: z.object({ url, events }),
  output: z.object({ webhook: Webhook, secret }),
})

export const updateWebhook = endpoint({
  method: 'PUT',
  path: '/api/webhooks',
  summary: 'Change a webhook of the caller, or switch it on or off. Another URL needs a recent proof.',
  input: z.object({ id, url, events, isOn: z.boolean() }),
  output: z.object({ webhook: Webhook }),
})

export const replaceWebhookSecret = endpoint({
  method: 'POST',
  path: '/api/webhooks/secret',
  summary:
    'Replace the secret of a webhook of the caller. Needs a recent proof. The old one signs too for 24 hours, unless `isLeaked`. The secret is answered here only.',
  input: z.object({ id, isLeaked: z.boolean() }),
  output: z.object({ secret }),
})

export const deleteWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/delete',
  summary: 'Delete a webhook of the caller with its messages. Idempotent.',
  input: z.object({ id }),
  output: z.object({ deleted: z.literal(true) }),
})

export const testWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/test',
  summary: 'Send the event `webhook.test` to a webhook of the caller that is on.',
  input: z.object({ id }),
  output: z.object({ deliveryId: id }),
})

export const readDeliveries = endpoint({
  method: 'GET',
  path: '/api/webhooks/deliveries',
  summary: 'Read the newest 100 messages of the last 7 days of a webhook of the caller.',
  input: z.object({ id }),
  output: z.object({ deliveries: z.array(Delivery) }),
})

export const sendAgain = endpoint({
  method: 'POST',
  path: '/api/webhooks/deliveries/again',
  summary: 'Send a message of the last 7 days again, with the same id, to a webhook of the caller that is on.',
  input: z.object({ id }),
  output: z.object({ queued: z.literal(true) }),
})
