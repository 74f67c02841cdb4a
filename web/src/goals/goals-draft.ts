import { DailyGoal } from '@deeb/core/goals/api'
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'

/** The key of the draft in the query cache: there it is persisted, and cleared together with the user's data. */
export const GOALS_DRAFT = 'goals-draft'

export const GoalsDraft = z.object({ goals: z.array(DailyGoal) })
type GoalsDraft = z.output<typeof GoalsDraft>

const EMPTY: GoalsDraft = { goals: [] }

/** The goals that were changed and not saved, and a function to change them. They survive a closed page. */
export function useGoalsDraft() {
  const queryClient = useQueryClient()
  const queryKey = [GOALS_DRAFT]
  const { data = EMPTY } = useQuery<GoalsDraft>({ queryKey, queryFn: skipToken, gcTime: Number.POSITIVE_INFINITY })
  return {
    draft: data.goals,
    changeDraft: (change: (goals: readonly DailyGoal[]) => DailyGoal[]) => {
      queryClient.setQueryData<GoalsDraft>(queryKey, ({ goals } = EMPTY) => ({ goals: change(goals) }))
    },
  }
}
