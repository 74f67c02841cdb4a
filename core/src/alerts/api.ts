import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../focus/api.ts'

/** A person waits for at most this many colleagues. */
export const MAX_ALERTS = 20

export const readAlerts = endpoint({
  method: 'GET',
  path: '/api/team/alerts',
  summary: 'Read for which colleagues the caller waits until they are free, and which of them are.',
  input: z.object({}),
  output: z.object({
    alerts: z.array(
      z.object({
        userId: z.uuid(),
        /** When they switched off, once they have been free for 2 minutes while the caller was free too; else null. */
        freeSince: z.nullable(Instant),
      }),
    ),
  }),
})

export const setAlert = endpoint({
  method: 'POST',
  path: '/api/team/alerts',
  summary:
    'Tell the caller once when a colleague is free, or not any more; `isWanted: false` also says that it was shown. Lapses after 4 hours. Idempotent. `not_found` unless the caller sees that the colleague is in deeb mode; `too_many_alerts` for the 21st.',
  input: z.object({ userId: z.uuid().check(z.toLowerCase()), isWanted: z.boolean() }),
  output: z.object({ isWanted: z.boolean() }),
})
