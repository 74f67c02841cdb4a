import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

/** How many days back a calendar shows focus sessions. */
export const CALENDAR_DAYS = 90

export const readCalendarLink = endpoint({
  method: 'GET',
  path: '/api/calendar',
  summary:
    'Read whether the focus sessions of the caller can be read as a calendar by a link. The link itself is not stored.',
  input: z.object({}),
  output: z.object({
    /** Null without a link. */
    link: z.nullable(
      z.object({
        createdAt: z.iso.datetime({ precision: 3 }),
        /** Accurate to an hour; null before the first time. */
        lastReadAt: z.nullable(z.iso.datetime({ precision: 3 })),
      }),
    ),
  }),
})

export const createCalendarLink = endpoint({
  method: 'POST',
  path: '/api/calendar',
  summary:
    'Create the link of the calendar of the caller, in place of an earlier one, which stops working. It is shown in this answer only. `proof_needed`, unless the caller has re-authenticated in this session.',
  input: z.object({}),
  output: z.object({ url: z.string() }),
})

export const removeCalendarLink = endpoint({
  method: 'POST',
  path: '/api/calendar/remove',
  summary: 'Remove the link of the calendar of the caller, which stops working.',
  input: z.object({}),
  output: z.object({ removed: z.literal(true) }),
})
