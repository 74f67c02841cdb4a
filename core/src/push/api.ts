import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { maxCharacters } from '../formats.ts'

export const readPush = endpoint({
  method: 'GET',
  path: '/api/push',
  summary: 'Read whether push messages reach this browser of the caller, and the key with which it subscribes to them.',
  input: v.object({}),
  output: v.object({
    /** The key of the server for `PushManager.subscribe`, base64url. Null if the server sends no push messages. */
    publicKey: v.nullable(v.string()),
    isOn: v.boolean(),
    /** Whether the caller is reminded of a focus session that they may have forgotten, in every browser with push messages. */
    remindsStillOn: v.boolean(),
  }),
})

export const switchPushOn = endpoint({
  method: 'PUT',
  path: '/api/push',
  summary:
    'Send push messages to this browser of the caller, until its auth session ends. Replaces an earlier subscription. `invalid_input` for a push service that cannot be used, `not_found` if the server sends no push messages.',
  input: v.object({
    /** The three values of a `PushSubscription`; the keys in base64url. */
    endpoint: v.pipe(v.string(), maxCharacters(2_000)),
    p256dh: v.pipe(v.string(), v.regex(/^[\w-]{87}$/)),
    auth: v.pipe(v.string(), v.regex(/^[\w-]{22}$/)),
  }),
  output: v.object({ isOn: v.literal(true) }),
})

export const switchPushOff = endpoint({
  method: 'POST',
  path: '/api/push/off',
  summary: 'Send no push messages to this browser of the caller. Idempotent.',
  input: v.object({}),
  output: v.object({ isOn: v.literal(false) }),
})

export const setStillOnReminders = endpoint({
  method: 'PUT',
  path: '/api/push/reminders',
  summary:
    'Switch the push message on or off that reminds the caller of an open session that no device was touched in for 4 hours; at most one per session.',
  input: v.object({ remindsStillOn: v.boolean() }),
  output: v.object({ remindsStillOn: v.boolean() }),
})
