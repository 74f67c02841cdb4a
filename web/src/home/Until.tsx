import { shortestTarget, targetEnd } from '@deeb/core/focus/target'
import * as texts from '@deeb/texts/home'
import { type ReactNode, Suspense, useState } from 'react'
import { lazyScreen } from '../device/lazy-screen.ts'
import { timeText } from '../device/local-time.ts'
import { TextButton } from '../ui/TextLink.tsx'
import { Interruptions } from './Interruptions.tsx'
import { KeepOnTop } from './KeepOnTop.tsx'
import type { UntilProps } from './UntilSheet.tsx'

const UntilSheet = lazyScreen(() => import('./UntilSheet.tsx'))

/**
 * The line under the clock of a running session: when it is meant to end, with a sheet to choose that, and a button that keeps the
 * ring on top of other windows. Another line is shown `instead` once the sheet is closed.
 */
export default function Until({ instead, ...props }: UntilProps & { instead?: ReactNode }) {
  const { session, elapsedSeconds } = props
  const [isOpen, setIsOpen] = useState(false)
  const { targetMinutes } = session
  const end = targetEnd(session)
  const reached = targetMinutes && elapsedSeconds >= targetMinutes * 60 ? texts.reached({ count: targetMinutes }) : null
  // Past the longest target there is nothing to choose.
  const canChoose = targetMinutes !== undefined || shortestTarget(elapsedSeconds) !== null
  if (instead && !isOpen) return instead
  return (
    <div className="home-until">
      {canChoose ? (
        <TextButton aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          {reached ?? texts.until({ time: end ? timeText(end) : '…' })}
        </TextButton>
      ) : null}
      {/* Once the end is reached, its text has the room: nothing on Home moves. */}
      {reached ? null : <KeepOnTop />}
      <Interruptions home={props.home} session={session} />
      {/* In the page before its text, so that screen readers announce it once. */}
      <p role="status" className="sr-only">
        {reached}
      </p>
      {isOpen ? (
        <Suspense>
          <UntilSheet {...props} onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}
