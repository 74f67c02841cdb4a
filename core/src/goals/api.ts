import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { DeviceZone } from '../focus/api.ts'
import { DailyGoal } from './week-of-goals.ts'

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
