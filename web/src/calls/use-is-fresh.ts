import type { FetchStatus } from '@tanstack/react-query'
import { useState } from 'react'

/**
 * Whether the server has answered a query since its screen was opened. Until then the data may be stale, from the persisted
 * cache: screens show it, but do not save it or ask questions based on it.
 */
export function useIsFresh({ fetchStatus, isError }: { fetchStatus: FetchStatus; isError: boolean }): boolean {
  const [isFresh, setIsFresh] = useState(false)
  // A failed query that is paused until the page is visible has no response either.
  if (!isFresh && fetchStatus === 'idle' && !isError) setIsFresh(true)
  return isFresh
}
