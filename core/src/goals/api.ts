import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { DeviceZone } from '../focus/api.ts'
import { DailyGoal } from './week-of-goals.ts'

export const saveGoals = endpoint({
  method: 'PUT',
  path: '/api/goals',
  summary:
    'Set the goals of all seven days. Of several saves on one local date, in UTC without `timeZone`, the last one counts.',
  input: v.object({
    goals: v.pipe(v.array(DailyGoal), v.length(7)),
    timeZone: v.optional(DeviceZone.timeZone),
    utcOffset: DeviceZone.utcOffset,
  }),
  output: v.object({ goals: v.array(DailyGoal) }),
})
