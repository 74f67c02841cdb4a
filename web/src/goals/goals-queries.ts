import type { DailyGoal } from '@deeb/core/goals/api'
import { saveGoals } from '@deeb/core/goals/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { followSaved } from '../focus/focus-reads.ts'
import { currentTimeZone } from '../local-time.ts'

/** Saves the goals of all seven days; every read that shows them is read again. */
export function useSaveGoals() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (goals: DailyGoal[]) => api(saveGoals, { goals, timeZone: currentTimeZone() }),
    onSuccess: ({ goals }) => followSaved(queries, () => ({ goals })),
  })
}
