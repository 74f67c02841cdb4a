import { readUndisturbed } from '@deeb/core/stats/undisturbed-api'
import { useQuery } from '@tanstack/react-query'
import { api } from '../calls/api.ts'
import { currentTimeZone, currentZone } from '../device/local-time.ts'

/**
 * How undisturbed the user was in an earlier week, by its Monday, or for null in the current one. Null until it is known, and for
 * somebody who counts no interruptions. It is read again for each new `version` of the user's focus state.
 */
export function useUndisturbed(earlierWeek: string | null, version: number) {
  const week = [readUndisturbed.path, currentTimeZone(), earlierWeek]
  const { data } = useQuery({
    queryKey: [...week, version],
    queryFn: () => api(readUndisturbed, { ...currentZone(), ...(earlierWeek && { week: earlierWeek }) }),
    // Of the same week.
    placeholderData: (before, query) => (query?.queryKey[2] === earlierWeek ? before : undefined),
  })
  return data?.undisturbed ?? null
}
