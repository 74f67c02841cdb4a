import type { FetchStatus } from '@tanstack/react-query'
import { useState } from 'react'

/**
 * Whether the server has answered a query since its screen was opened. Until then the data may come from the persisted cache:
 * good enough to show, not to save or to ask anything by.
 */
export function useIsFresh({ fetchStatus, isError }: { fetchStatus: FetchStatus; isError: boolean }): boolean {
  const [isFresh, setIsFresh] = useState(false)
  // A query that failed once and is paused until the page is visible has no answer either.
  if (!isFresh && fetchStatus === 'idle' && !isError) setIsFresh(true)
  return isFresh
}
