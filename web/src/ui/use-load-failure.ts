import { useEffect, useState } from 'react'
import { showFailure } from './toast.ts'

/** Shows a toast each time a query fails while the screen is shown. Earlier failures belong to another screen. */
export function useLoadFailure({ errorUpdatedAt }: { errorUpdatedAt: number }, description: string): void {
  const [shownSince] = useState(() => Date.now())
  useEffect(() => {
    if (errorUpdatedAt >= shownSince) showFailure(description)
  }, [errorUpdatedAt, shownSince, description])
}
