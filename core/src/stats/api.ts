import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { DeviceZone, FocusState, Instant } from '../focus/api.ts'

/** A local day in the requested time zone, with the time of ended sessions. The client adds the open session. */
export const FocusDay = z.object({
  date: z.iso.date(),
  dayOfWeek: z.int(),
  startsAt: Instant,
  /** The first instant of the next local day. */
  endsAt: Instant,
  savedSeconds: z.int(),
})
export type FocusDay = z.output<typeof FocusDay>

export const TimeZoneInput = z.object(DeviceZone)

export const readWeek = endpoint({
  method: 'GET',
  path: '/api/week',
  scopes: ['read'],
  summary: 'Read all that the profile screen shows: a week by its Monday or the current one, each day with its goal.',
  input: z.extend(TimeZoneInput, { week: z.optional(z.iso.date()) }),
  output: z.extend(FocusState, {
    /** Monday to Sunday. */
    week: z.array(z.extend(FocusDay, { goalMinutes: z.int() })),
    /** Mean of the weeks before the current one with at least one minute; null if there are none. */
    averageWeekMinutes: z.nullable(z.int()),
    /** The Monday of the first of them; null if there are none. */
    firstWeek: z.nullable(z.iso.date()),
    /** The saved time of the 11 weeks before the current one, of fewer after the first week, in chronological order. */
    earlierWeeksMinutes: z.array(z.int()),
    /** The saved time of Monday to Sunday in the week before the current one. */
    lastWeekMinutes: z.array(z.int()),
    /**
     * The average week of the company's report, to 5 minutes, with its margin; null where the report shows none. During an upgrade, an
     * older server does not send it.
     */
    companyAverage: z.optional(z.nullable(z.object({ domain: z.string(), minutes: z.int(), margin: z.int() }))),
  }),
})
