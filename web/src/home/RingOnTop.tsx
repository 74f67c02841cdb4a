import { elapsedSeconds, formatClock } from '@deeb/core/focus/session'
import { goalMinutesOn, HOME_DEFAULT_GOAL_MINUTES } from '@deeb/core/goals/week-of-goals'
import { ringFill, ringTime, spokenDuration } from '@deeb/core/stats/ring'
import { trackedSeconds, wholeMinutes } from '@deeb/core/stats/week'
import * as homeTexts from '@deeb/texts/home'
import * as texts from '@deeb/texts/homeSheets'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { serverNow } from '../calls/server-clock.ts'
import { useHome } from '../focus/day-queries.ts'
import { Ring } from '../ui/Ring.tsx'
import { RingTime } from '../ui/RingTime.tsx'

const TICK_MS = 1000

/** Today's ring and the clock of the session in a window of their own, which closes with the session. */
export default function RingOnTop({ ringWindow }: { ringWindow: Window }) {
  const { data: home } = useHome()
  const now = useNowIn(ringWindow)
  const isOff = home?.openSession === null
  useEffect(() => {
    if (isOff) ringWindow.close()
  }, [isOff, ringWindow])
  if (!home?.openSession) return null
  const { openSession, today, goals } = home
  const seconds = trackedSeconds(today, openSession, now)
  const minutes = wholeMinutes(seconds)
  const goalMinutes = goalMinutesOn(goals, today.dayOfWeek, HOME_DEFAULT_GOAL_MINUTES)
  return createPortal(
    <main className="ring-on-top">
      <Ring
        {...ringFill(seconds / 60, goalMinutes)}
        kind="small"
        label={texts.timeToday({ time: spokenDuration(minutes) })}
      >
        <RingTime {...ringTime(minutes)} />
      </Ring>
      <p role="timer" aria-live="off" aria-label={homeTexts.thisSession()}>
        {formatClock(elapsedSeconds(new Date(openSession.startedAt), now))}
      </p>
    </main>,
    ringWindow.document.body,
  )
}

/** The server-corrected now. The timers of the small window go on in seconds while the page itself is hidden. */
function useNowIn(ringWindow: Window): Date {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = ringWindow.setInterval(() => setNow(serverNow()), TICK_MS)
    return () => ringWindow.clearInterval(timer)
  }, [ringWindow])
  return now
}
