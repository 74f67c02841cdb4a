import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../formats.ts'

/** How many days back a calendar shows focus sessions. */
export const CALENDAR_DAYS = 90

export const readCalendarLink = endpoint({
  method: 'GET',
  path: '/api/calendar',
  summary:
    'Read whether the focus sessions of the caller can be read as a calendar by a link. The link itself is not stored.',
  input: v.object({}),
  output: v.object({
    /** Null without a link. */
    link: v.nullable(
      v.object({
        createdAt: Instant,
        /** Accurate to an hour; null before the first time. */
        lastReadAt: v.nullable(Instant),
      }),
    ),
  }),
})

export const createCalendarLink = endpoint({
  method: 'POST',
  path: '/api/calendar',
  summary:
    'Create the link of the calendar of the caller, in place of an earlier one, which stops working. It is shown in this answer only. `proof_needed`, unless the caller has re-authenticated in this session.',
  input: v.object({}),
  output: v.object({ url: v.string() }),
})

export const removeCalendarLink = endpoint({
  method: 'POST',
  path: '/api/calendar/remove',
  summary: 'Remove the link of the calendar of the caller, which stops working.',
  input: v.object({}),
  output: v.object({ removed: v.literal(true) }),
})
