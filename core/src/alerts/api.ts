import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Instant, Uuid } from '../formats.ts'
import { Knocks } from './knock-api.ts'

/** A person waits for at most this many colleagues. */
export const MAX_ALERTS = 20

export const readAlerts = endpoint({
  method: 'GET',
  path: '/api/team/alerts',
  summary:
    'Read for which colleagues the caller waits until they are free, which of them are, and the knocks from and to the caller.',
  input: v.object({}),
  output: v.object({
    alerts: v.array(
      v.object({
        userId: Uuid,
        /** The time at which they switched off, once they have been free for 2 minutes while the caller was free too; else null. */
        freeSince: v.nullable(Instant),
      }),
    ),
    /** During an upgrade, an older server does not send it. */
    knocks: v.optional(Knocks),
  }),
})

export const setAlert = endpoint({
  method: 'POST',
  path: '/api/team/alerts',
  summary:
    'Tell the caller once when a colleague is free, or not any more; `isWanted: false` also says that it was shown. Lapses after 4 hours. Idempotent. `not_found` unless the caller sees that the colleague is in deeb mode; `too_many_alerts` for the 21st.',
  input: v.object({ userId: v.pipe(Uuid, v.toLowerCase()), isWanted: v.boolean() }),
  output: v.object({ isWanted: v.boolean() }),
})
