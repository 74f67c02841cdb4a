import { isServed, useAuthSession } from '../../auth-session.ts'
import { useHeldUp } from './keep-sending.ts'
import { useWaiting } from './switch-queue.ts'

/** How many switches the server does not know of, once that lasts. Said once for each number, not each second. */
export function WaitingNote() {
  const count = useWaiting().length
  const isHeldUp = useHeldUp()
  // Whose tokens have run out has nobody to send to.
  const isShown = (!isServed(useAuthSession()) || isHeldUp) && count > 0
  return (
    <p aria-live="polite" className="text-right text-note text-soft">
      {isShown ? (
        <>
          {count === 1 ? '1 change waits' : `${count} changes wait`}
          <br /> to be sent.
        </>
      ) : null}
    </p>
  )
}
