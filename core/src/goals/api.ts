import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { DeviceZone } from '../focus/api.ts'
import { MAX_GOAL_MINUTES } from './week-of-goals.ts'

/** 0 = Sunday to 6 = Saturday. */
export const DayOfWeek = z.int().check(z.minimum(0), z.maximum(6))

export const DailyGoal = z.object({
  dayOfWeek: DayOfWeek,
  goalMinutes: z.int().check(z.minimum(0), z.maximum(MAX_GOAL_MINUTES)),
})
export type DailyGoal = z.output<typeof DailyGoal>

export const saveGoals = endpoint({
  method: 'PUT',
  path: '/api/goals',
  summary:
    'Set the goals of all seven days. Of several saves on one local date, in UTC without `timeZone`, the last one counts.',
  input: z.object({
    goals: z.array(DailyGoal).check(z.length(7)),
    timeZone: z.optional(DeviceZone.timeZone),
    utcOffset: DeviceZone.utcOffset,
  }),
  output: z.object({ goals: z.array(DailyGoal) }),
})
