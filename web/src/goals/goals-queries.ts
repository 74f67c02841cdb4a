import { saveGoals } from '@deeb/core/goals/api'
import type { DailyGoal } from '@deeb/core/goals/week-of-goals'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../calls/api.ts'
import { currentZone } from '../device/local-time.ts'
import { mergeIntoHome } from '../focus/day-queries.ts'

/** Saves the goals of all seven days and updates every screen that shows them. */
export function useSaveGoals() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (goals: DailyGoal[]) => api(saveGoals, { goals, ...currentZone() }),
    onSuccess: ({ goals }) => mergeIntoHome(queryClient, () => ({ goals })),
  })
}
