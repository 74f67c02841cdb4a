import { DailyGoal } from '@deeb/core/goals/week-of-goals'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { NEVER_EVICTED } from '../focus/focus-cache.ts'

/** The key of the draft in the query cache: there it is persisted, and cleared together with the user's data. */
export const GOALS_DRAFT = 'goals-draft'
const KEY = [GOALS_DRAFT]

export const GoalsDraft = v.object({ goals: v.array(DailyGoal) })
type GoalsDraft = v.InferOutput<typeof GoalsDraft>

const EMPTY: GoalsDraft = { goals: [] }

/**
 * The goals that were changed and not saved, and a function to change them. They survive a closed page.
 *
 * Read from the cache itself: `useQuery` renders a moment later, and a wheel would turn back between two quick keys.
 */
export function useGoalsDraft() {
  const queryClient = useQueryClient()
  const { goals: draft } = useSyncExternalStore(
    (onChange) => queryClient.getQueryCache().subscribe(onChange),
    () => readDraft(queryClient),
  )
  return {
    draft,
    changeDraft: (change: (goals: readonly DailyGoal[]) => DailyGoal[]) => {
      queryClient.setQueryDefaults(KEY, { gcTime: NEVER_EVICTED })
      queryClient.setQueryData<GoalsDraft>(KEY, { goals: change(readDraft(queryClient).goals) })
    },
  }
}

function readDraft(queryClient: QueryClient): GoalsDraft {
  return queryClient.getQueryData<GoalsDraft>(KEY) ?? EMPTY
}
