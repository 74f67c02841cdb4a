import type { DailyGoal } from '@deeb/core/goals/api'
import { saveGoals } from '@deeb/core/goals/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { currentZone } from '../local-time.ts'
import { mergeIntoHome } from '../stats/stats-queries.ts'

/** Saves the goals of all seven days and updates every screen that shows them. */
export function useSaveGoals() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (goals: DailyGoal[]) => api(saveGoals, { goals, ...currentZone() }),
    onSuccess: ({ goals }) => mergeIntoHome(queryClient, () => ({ goals })),
  })
}
