import { isVerified, useAuthSession } from '../../auth-session.ts'
import { useIsDelayed } from './keep-sending.ts'
import { usePending } from './switch-queue.ts'

/** The number of pending changes, if sending them takes longer than usual. Announced once for each number. */
export function PendingNote() {
  const count = usePending().length
  const isDelayed = useIsDelayed()
  // Without valid tokens nothing can be sent.
  const isShown = (!isVerified(useAuthSession()) || isDelayed) && count > 0
  return (
    <p aria-live="polite" className="text-right text-[min(0.8125rem,15px)] leading-[1.35] text-soft">
      {isShown ? (
        <>
          {count === 1 ? '1 change' : `${count} changes`}
          <br /> waiting to sync
        </>
      ) : null}
    </p>
  )
}
