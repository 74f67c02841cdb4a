import * as texts from '@deeb/texts/focus'
import { isVerified, useAuthSession } from '../../session/auth-session.ts'
import { useIsDelayed } from './keep-sending.ts'
import { usePending } from './switch-queue.ts'

/** The number of pending changes, if sending them takes longer than usual. Announced once for each number. */
export function PendingNote() {
  const count = usePending().length
  const isDelayed = useIsDelayed()
  // Without valid tokens nothing can be sent.
  const isShown = (!isVerified(useAuthSession()) || isDelayed) && count > 0
  return (
    <p
      aria-live="polite"
      className="max-w-36 text-end text-[min(0.8125rem,15px)] leading-[1.35] text-balance text-soft"
    >
      {isShown ? texts.waiting({ count }) : null}
    </p>
  )
}
