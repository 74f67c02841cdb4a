import { readWeek } from '@deeb/core/stats/api'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from '../calls/api.ts'
import { currentTimeZone, currentZone } from '../device/local-time.ts'
import type { Week } from '../focus/day-queries.ts'
import { NEVER_EVICTED } from '../focus/focus-cache.ts'
import { useFocusQuery } from '../focus/focus-queries.ts'

/** An earlier week changes only with its sessions, and that invalidates it. */
const EARLIER_STALE_MS = 60_000

/** An earlier week by its Monday. For null it is the query of the current week, which `useWeek` keeps up to date. */
export function useShownWeek(earlierWeek: string | null) {
  return useFocusQuery<Week>(queryOf(earlierWeek))
}

/** Returns a function that loads an earlier week into the cache, so that it is shown without waiting. */
export function usePrefetchWeek(): (earlierWeek: string) => void {
  const queryClient = useQueryClient()
  return useCallback((earlierWeek) => void queryClient.prefetchQuery(queryOf(earlierWeek)), [queryClient])
}

function queryOf(earlierWeek: string | null) {
  const timeZone = currentTimeZone()
  if (earlierWeek === null) {
    return { queryKey: [readWeek.path, timeZone], queryFn: () => api(readWeek, currentZone()), gcTime: NEVER_EVICTED }
  }
  return {
    queryKey: [readWeek.path, timeZone, earlierWeek],
    queryFn: () => api(readWeek, { ...currentZone(), week: earlierWeek }),
    gcTime: NEVER_EVICTED,
    staleTime: EARLIER_STALE_MS,
  }
}
