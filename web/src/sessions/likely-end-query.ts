import { readLikelyEnd } from '@deeb/core/sessions/api'
import { useQuery } from '@tanstack/react-query'
import { api } from '../calls/api.ts'

/**
 * Reads the hints at when the open session, or a forgotten one, probably ended. Once, again when the user answers on another
 * device, and while a question is shown also when its user looks at the page. Offline it fails immediately.
 */
export function useLikelyEnd(sessionId: string, { isEnabled = true, isShown = false } = {}) {
  return useQuery({
    queryKey: [readLikelyEnd.path, sessionId],
    queryFn: () => api(readLikelyEnd, { sessionId }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: isShown ? 'always' : false,
    retry: false,
    enabled: isEnabled,
  })
}
