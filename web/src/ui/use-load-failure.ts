import { useEffect, useState } from 'react'
import { showFailure } from './toast.ts'

/**
 * Shows a toast each time a query without data fails while the screen is shown. Earlier failures belong to another screen; old data are
 * shown with their time instead.
 */
export function useLoadFailure(query: { data: unknown; errorUpdatedAt: number }, description: string): void {
  const errorUpdatedAt = query.data ? 0 : query.errorUpdatedAt
  const [shownSince] = useState(() => Date.now())
  useEffect(() => {
    if (errorUpdatedAt >= shownSince) showFailure(description)
  }, [errorUpdatedAt, shownSince, description])
}
