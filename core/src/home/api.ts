import * as z from 'zod/mini'
import { Profile } from '../account/profile.ts'
import { endpoint } from '../endpoint.ts'
import { FocusState } from '../focus/api.ts'
import { DailyGoal } from '../goals/week-of-goals.ts'
import { FocusDay, TimeZoneInput } from '../stats/api.ts'

export const readHome = endpoint({
  method: 'GET',
  path: '/api/home',
  scopes: ['read'],
  summary: 'Read all that the home screen shows.',
  input: TimeZoneInput,
  output: z.extend(FocusState, {
    profile: Profile,
    /** Seven goals, or none before the first save. */
    goals: z.array(DailyGoal),
    /** Whether the user has ever switched deeb mode on. */
    hasSessions: z.optional(z.boolean()),
    today: FocusDay,
    /** The number of pending requests to the caller. During an upgrade, an older server does not send it. */
    requests: z.optional(z.int()),
    /** The Monday from which the company's weeks, and those of the caller in them, are counted, until it has come. Older servers do not send it. */
    reportFrom: z.optional(z.nullable(z.iso.date())),
  }),
})
