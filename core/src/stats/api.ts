import * as z from 'zod/mini'
import { Profile } from '../account/api.ts'
import { endpoint } from '../endpoint.ts'
import { FocusSession, Instant } from '../focus/api.ts'
import { DailyGoal } from '../goals/api.ts'

/** A local day of the time zone that the reader named. */
export const LocalDay = z.object({
  date: z.iso.date(),
  dayOfWeek: z.int(),
  startsAt: Instant,
  /** The first instant of the next local day. */
  endsAt: Instant,
})

export const readHome = endpoint({
  method: 'GET',
  path: '/api/home',
  summary: 'All that the home screen shows, in one read.',
  input: z.object({ timeZone: z.string().check(z.maxLength(64)) }),
  output: z.object({
    profile: Profile,
    /** Seven, or none before the first save. */
    goals: z.array(DailyGoal),
    today: LocalDay,
    /** What ended sessions gave to today; the open session comes on top. */
    savedSeconds: z.int(),
    openSession: z.nullable(FocusSession),
    serverTime: Instant,
  }),
})
