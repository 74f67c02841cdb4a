import type { FocusSession } from '@deeb/core/focus/api'
import { elapsedSeconds, formatClock } from '@deeb/core/focus/session'
import { lengthText } from '@deeb/core/stats/ring'
import * as texts from '@deeb/texts/openSession'
import { serverNow } from '../calls/server-clock.ts'
import { useNow } from '../focus/use-now.ts'
import { haptic } from '../ui/haptic.ts'
import { focusHeading } from '../ui/ScreenHeading.tsx'
import { showToast } from '../ui/toast.ts'

interface EndPillProps {
  session: FocusSession
  onEnd: () => void
}

/** The hours and minutes of the running session, and the button that ends it: `0:42 · End`. */
export default function EndPill({ session, onEnd }: EndPillProps) {
  const lengthAt = (now: Date) => formatClock(elapsedSeconds(new Date(session.startedAt), now)).slice(0, -3)
  const length = lengthAt(useNow(true, { stepOf: lengthAt }))
  function end(): void {
    haptic()
    onEnd()
    const seconds = elapsedSeconds(new Date(session.startedAt), serverNow())
    const recorded = seconds < 60 ? `${seconds}s` : lengthText(Math.floor(seconds / 60))
    showToast({ title: texts.recorded({ length: recorded }), tone: 'success' })
    // The pill has the focus, and is removed.
    focusHeading()
  }
  return (
    <button type="button" aria-label={texts.endSession()} onClick={end} className="-my-1 min-w-0 rounded-full py-1">
      <span
        aria-hidden="true"
        className="flex min-h-9 items-center gap-2 rounded-full bg-ink px-4 text-button-small text-ground forced-colors:border"
      >
        <svg width={10} height={10} aria-hidden="true">
          <circle cx={5} cy={5} r={5} fill="var(--green)" />
        </svg>
        <span translate="no">{length}</span>
        <span>·</span>
        <span className="flex-none">{texts.end()}</span>
      </span>
    </button>
  )
}
