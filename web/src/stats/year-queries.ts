import type { OutputOf } from '@deeb/core/endpoint'
import { readYear } from '@deeb/core/stats/year-api'
import { useQuery } from '@tanstack/react-query'
import { api } from '../calls/api.ts'
import { currentTimeZone, currentZone } from '../device/local-time.ts'
import { NEVER_EVICTED } from '../focus/focus-cache.ts'

export type Year = OutputOf<typeof readYear>

/** The last twelve months of ended sessions. Read again whenever it is opened. */
export function useYear() {
  const timeZone = currentTimeZone()
  return useQuery({
    queryKey: [readYear.path, timeZone],
    queryFn: () => api(readYear, currentZone()),
    gcTime: NEVER_EVICTED,
  })
}
