import type { FocusRead } from '@deeb/core/focus/optimistic'
import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { FOCUS_QUERIES, liveVersion, withOverlay } from './focus-cache.ts'
import { usePending } from './queue/switch-queue.ts'

type FocusQuery<Read> = Pick<
  UseQueryOptions<Read>,
  | 'queryKey'
  | 'queryFn'
  | 'structuralSharing'
  | 'gcTime'
  | 'staleTime'
  | 'enabled'
  | 'meta'
  | 'initialData'
  | 'initialDataUpdatedAt'
>

/**
 * A query of a screen that shows deeb mode: the cached server state with pending switches on top. If another query has a newer
 * version of the user's presence, its open session wins until this query is refetched.
 */
export function useFocusQuery<Read extends FocusRead>(options: FocusQuery<Read>) {
  const queryClient = useQueryClient()
  const pending = usePending()
  const select = useCallback((read: Read) => withOverlay(queryClient, read, pending), [queryClient, pending])
  const query = useQuery({ ...options, select })
  // The response was sent before the last live event.
  const isBehind = query.data !== undefined && query.data.version < liveVersion(queryClient)
  useEffect(() => {
    if (isBehind) void queryClient.invalidateQueries(FOCUS_QUERIES, { cancelRefetch: false })
  }, [isBehind, queryClient])
  return query
}
