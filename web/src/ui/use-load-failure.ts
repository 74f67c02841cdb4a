import { useEffect, useState } from 'react'
import { showFailure } from './toast.ts'

/** Says so in a toast each time a read fails while the screen is shown. What failed before is on an earlier screen. */
export function useLoadFailure({ errorUpdatedAt }: { errorUpdatedAt: number }, description: string): void {
  const [shownSince] = useState(() => Date.now())
  useEffect(() => {
    if (errorUpdatedAt >= shownSince) showFailure(description)
  }, [errorUpdatedAt, shownSince, description])
}
