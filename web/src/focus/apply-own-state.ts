import type { FocusSession } from '@deeb/core/focus/api'
import type { QueryClient } from '@tanstack/react-query'
import { refetchAfterChange, refetchFailed } from '../calls/refetch.ts'
import { serverNow } from '../calls/server-clock.ts'
import {
  areUpToDate,
  cachedOpenSession,
  cacheEnded,
  cacheOpened,
  FOCUS_QUERIES,
  liveVersion,
  setLiveVersion,
} from './focus-cache.ts'

/**
 * Applies a live event of the user's deeb mode, as after a switch on another device, to the cache; then refetches the totals.
 * Events of an older version are ignored.
 */
export function applyOwnState(
  queryClient: QueryClient,
  { openSession, version }: { openSession: FocusSession | null; version: number },
): void {
  if (version < liveVersion(queryClient)) return
  setLiveVersion(queryClient, version)
  // The event proves that the server can be reached.
  refetchFailed(queryClient, FOCUS_QUERIES)
  const cached = cachedOpenSession(queryClient)
  if (cached === undefined || areUpToDate(queryClient, version)) return
  const isSame = cached?.id === openSession?.id
  if (!isSame && cached) cacheEnded(queryClient, cached, serverNow())
  if (openSession) cacheOpened(queryClient, openSession)
  refetchAfterChange(queryClient, FOCUS_QUERIES)
}
