import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

export const readPush = endpoint({
  method: 'GET',
  path: '/api/push',
  summary: 'Read whether push messages reach this browser of the caller, and the key with which it subscribes to them.',
  input: z.object({}),
  output: z.object({
    /** The key of the server for `PushManager.subscribe`, base64url. Null if the server sends no push messages. */
    publicKey: z.nullable(z.string()),
    isOn: z.boolean(),
    /** Whether the caller is reminded of a focus session that they may have forgotten, in every browser with push messages. */
    remindsStillOn: z.boolean(),
  }),
})

export const switchPushOn = endpoint({
  method: 'PUT',
  path: '/api/push',
  summary:
    'Send push messages to this browser of the caller, until its auth session ends. Replaces an earlier subscription. `invalid_input` for a push service that cannot be used, `not_found` if the server sends no push messages.',
  input: z.object({
    /** The three values of a `PushSubscription`; the keys in base64url. */
    endpoint: z.string().check(z.maxLength(2_000)),
    p256dh: z.string().check(z.regex(/^[\w-]{87}$/)),
    auth: z.string().check(z.regex(/^[\w-]{22}$/)),
  }),
  output: z.object({ isOn: z.literal(true) }),
})

export const switchPushOff = endpoint({
  method: 'POST',
  path: '/api/push/off',
  summary: 'Send no push messages to this browser of the caller. Idempotent.',
  input: z.object({}),
  output: z.object({ isOn: z.literal(false) }),
})

export const setStillOnReminders = endpoint({
  method: 'PUT',
  path: '/api/push/reminders',
  summary:
    'Switch the push message on or off that reminds the caller of an open session that no device was touched in for 4 hours; at most one per session.',
  input: z.object({ remindsStillOn: z.boolean() }),
  output: z.object({ remindsStillOn: z.boolean() }),
})
