import * as v from 'valibot'
import { Profile } from '../account/profile.ts'
import { endpoint } from '../endpoint.ts'
import { FocusState } from '../focus/api.ts'
import { Instant, Int, LocalDate, Uuid } from '../formats.ts'
import { DailyGoal } from '../goals/week-of-goals.ts'
import { FocusDay, TimeZoneInput } from '../stats/api.ts'

export const readHome = endpoint({
  method: 'GET',
  path: '/api/home',
  scopes: ['read'],
  summary: 'Read all that the home screen shows.',
  input: TimeZoneInput,
  output: v.object({
    ...FocusState.entries,
    profile: Profile,
    /** Seven goals, or none before the first save. */
    goals: v.array(DailyGoal),
    /** Whether the user has ever switched deeb mode on. */
    hasSessions: v.optional(v.boolean()),
    today: FocusDay,
    /** The number of pending requests to the caller. During an upgrade, an older server does not send it. */
    requests: v.optional(Int),
    /** The presses of `interrupted?` that count in the open session. During an upgrade, an older server does not send them. */
    presses: v.optional(v.array(v.object({ sessionId: Uuid, pressId: Uuid }))),
    /** The Monday from which the company's weeks, and those of the caller in them, are counted, until it has come. Older servers do not send it. */
    reportFrom: v.optional(v.nullable(LocalDate)),
    /**
     * The quiet times in which the caller takes part, and that are under way or begin today, in chronological order. `switchOnId`: a
     * device that was just touched opens the session with this id at the start; null if the caller does not want that, or it was opened
     * already. Older servers send none.
     */
    quiet: v.optional(
      v.array(
        v.object({
          circleId: Uuid,
          circle: v.string(),
          startsAt: Instant,
          endsAt: Instant,
          switchOnId: v.nullable(Uuid),
        }),
      ),
    ),
  }),
})
