import './home.css'
import type { FocusSession } from '@deeb/core/focus/api'
import { elapsedSeconds, formatClock } from '@deeb/core/focus/session'
import { goalMinutesOn, HOME_DEFAULT_GOAL_MINUTES } from '@deeb/core/goals/week-of-goals'
import { endedText, hourMarkAngles, hoursAndMinutes, ringFill, ringTime, spokenDuration } from '@deeb/core/stats/ring'
import { dailyStatus, percentOf, statusText } from '@deeb/core/stats/status'
import { trackedSeconds, wholeMinutes } from '@deeb/core/stats/week'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/home'
import type { ReactNode } from 'react'
import { lazyPart } from '../device/lazy-part.tsx'
import type { Home } from '../focus/day-queries.ts'
import { useNow } from '../focus/use-now.ts'
import { Ring } from '../ui/Ring.tsx'
import { RingTime } from '../ui/RingTime.tsx'
import { ScreenHeading } from '../ui/ScreenHeading.tsx'
import { withElements } from '../ui/with-elements.tsx'
import { useEndedSeconds, useGoalReached } from './use-moments.ts'

const BelowRing = lazyPart(() => import('./BelowRing.tsx'))

/** Today on one grid: the greeting with the goal, the ring, the status, and on wide screens `beside`. */
export function DayView({ home, beside }: { home: Home; beside: ReactNode }) {
  const { openSession, today } = home
  const { username } = home.profile
  const goalMinutes = goalMinutesOn(home.goals, today.dayOfWeek, HOME_DEFAULT_GOAL_MINUTES)
  const targetMinutes = openSession?.targetMinutes ?? 0
  const now = useNow(openSession !== null, {
    stepOf: (now) => {
      const [day, session] = [trackedSeconds(today, openSession, now), secondsOf(openSession, now)]
      return [...stepsOf(day, goalMinutes), ...stepsOf(session, targetMinutes)].join()
    },
  })
  const seconds = trackedSeconds(today, openSession, now)
  const minutes = wholeMinutes(seconds)
  const percent = percentOf(minutes, goalMinutes)
  const endedSeconds = useEndedSeconds(openSession)
  const status = dailyStatus(minutes, goalMinutes)
  const isReached = status === 'over performer'
  const elapsed = secondsOf(openSession, now)
  const isGoalMoment = useGoalReached({ date: today.date, goalMinutes, isReached }, openSession !== null)
  const moment = isGoalMoment ? 'goal' : endedSeconds !== null ? 'end' : undefined
  return (
    <main className="home toasts-below-header column wide:frame">
      <div className="home-greeting">
        <ScreenHeading className="-mb-[0.3em] line-clamp-4 pb-[0.3em] text-title lg:text-greeting">
          {username
            ? withElements(texts.greeting, { name: <bdi translate="no">{username}</bdi> })
            : texts.greetingWithoutName()}
        </ScreenHeading>
        <p className="mt-1 text-body text-soft lg:mt-4">{texts.todaysGoal({ time: hoursAndMinutes(goalMinutes) })}</p>
      </div>
      {beside}
      <div className="home-ring" data-moment={moment}>
        <Ring
          {...ringFill(seconds / 60, goalMinutes)}
          outer={targetMinutes ? elapsed / (targetMinutes * 60) : 0}
          hourMarks={hourMarkAngles(goalMinutes)}
          label={spokenDay(minutes, goalMinutes, percent)}
        >
          <RingTime {...ringTime(minutes)} />
        </Ring>
      </div>
      <div className="home-status">
        <div className="home-line text-status lg:text-status-wide">
          <p className={isReached ? 'text-green-text' : undefined}>{statusText(status)}</p>
          {percent === null ? null : (
            <p className="home-percent font-450 text-soft">{commonTexts.percent({ percent })}</p>
          )}
        </div>
        {openSession ? <Clock session={openSession} /> : null}
        <BelowRing home={home} elapsedSeconds={elapsed} />
        <p role="status" className="home-ended">
          {endedSeconds === null ? null : endedText(endedSeconds, minutes, percent)}
        </p>
      </div>
    </main>
  )
}

/** About a pixel of the ring. */
const STEPS = 720

/** Returns what a ring of so many minutes shows of a time: its whole minutes, and the steps of its arc. */
function stepsOf(seconds: number, ringMinutes: number): number[] {
  return [seconds / 60, ringMinutes && (seconds / 60 / ringMinutes) * STEPS].map(Math.floor)
}

function secondsOf(session: FocusSession | null, now: Date): number {
  return session ? elapsedSeconds(new Date(session.startedAt), now) : 0
}

/** The running session, in whole seconds. Nothing else on the screen is rendered every second. */
function Clock({ session }: { session: FocusSession }) {
  const seconds = secondsOf(session, useNow(true))
  return (
    <p className="home-line home-clock">
      <span className="text-soft">{commonTexts.inDeebMode()}</span>{' '}
      <span className="text-title" role="timer" aria-live="off" aria-label={texts.thisSession()}>
        {formatClock(seconds)}
      </span>
    </p>
  )
}

function spokenDay(minutes: number, goalMinutes: number, percent: number | null): string {
  const time = spokenDuration(minutes)
  if (percent === null) return texts.spokenDayWithoutGoal({ time })
  return texts.spokenDay({ time, goal: spokenDuration(goalMinutes), percent })
}
