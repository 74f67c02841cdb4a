import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { DeviceZone, FocusState } from '../focus/api.ts'
import { Instant, Int, LocalDate } from '../formats.ts'

/** A local day in the requested time zone, with the time of ended sessions. The client adds the open session. */
export const FocusDay = v.object({
  date: LocalDate,
  dayOfWeek: Int,
  startsAt: Instant,
  /** The first instant of the next local day. */
  endsAt: Instant,
  savedSeconds: Int,
  /** Only on Home: whether today brought the first full hour of focus to a user without a door sign. */
  isFirstHour: v.optional(v.boolean()),
})
export type FocusDay = v.InferOutput<typeof FocusDay>

export const TimeZoneInput = v.object(DeviceZone)

export const readWeek = endpoint({
  method: 'GET',
  path: '/api/week',
  scopes: ['read'],
  summary: 'Read a week by its Monday, or the current one, each day with its goal.',
  input: v.object({ ...TimeZoneInput.entries, week: v.optional(LocalDate) }),
  output: v.object({
    ...FocusState.entries,
    /** Monday to Sunday. */
    week: v.array(v.object({ ...FocusDay.entries, goalMinutes: Int })),
    /** Mean of the weeks before the current one with at least one minute; null if there are none. */
    averageWeekMinutes: v.nullable(Int),
    /** The Monday of the first of them; null if there are none. */
    firstWeek: v.nullable(LocalDate),
    /** The saved time of the 11 weeks before the current one, of fewer after the first week, in chronological order. */
    earlierWeeksMinutes: v.array(Int),
    /** The saved time of Monday to Sunday in the week before the current one. */
    lastWeekMinutes: v.array(Int),
    /** The number of weeks before the current one with at least one minute. During an upgrade, an older server does not send it. */
    earlierWeeks: v.optional(Int),
    /**
     * The average week of the company's report, to 5 minutes, with its margin; null where the report shows none. During an upgrade, an
     * older server does not send it.
     */
    companyAverage: v.optional(v.nullable(v.object({ domain: v.string(), minutes: Int, margin: Int }))),
  }),
})
