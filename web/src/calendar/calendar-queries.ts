import { createCalendarLink, readCalendarLink, removeCalendarLink } from '@deeb/core/calendar/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '../calls/api.ts'

const KEY = [readCalendarLink.path]

/** Whether there is a link to the calendar of the user. */
export function useCalendarLink() {
  return useQuery({ queryKey: KEY, queryFn: () => api(readCalendarLink, {}) })
}

/** Creates and removes the link. A failure is the outcome `failed`. */
export function useChangeCalendarLink() {
  const queryClient = useQueryClient()
  /** Also after a failure: the server may have done it before the answer was lost. */
  const refetch = () => queryClient.invalidateQueries({ queryKey: KEY })
  return {
    create: () =>
      api(createCalendarLink, {})
        .then(({ url }) => ({ url }), failureOf)
        .finally(refetch),
    remove: () =>
      api(removeCalendarLink, {})
        .then(() => 'done' as const, failureOf)
        .finally(refetch),
  }
}

function failureOf(error: unknown): 'proof needed' | 'too many' | 'failed' {
  const code = error instanceof ApiError ? error.code : 'unavailable'
  if (code === 'proof_needed') return 'proof needed'
  return code === 'too_many_attempts' ? 'too many' : 'failed'
}
