import './home.css'
import { elapsedSeconds, formatClock } from '@deeb/core/focus/session'
import { goalMinutesOn, HOME_DEFAULT_GOAL_MINUTES } from '@deeb/core/goals/week-of-goals'
import { hourMarkAngles, hoursAndMinutes, ringFill, ringTime, spokenDuration } from '@deeb/core/stats/ring'
import { dailyStatus, percentOf } from '@deeb/core/stats/status'
import { trackedSeconds, wholeMinutes } from '@deeb/core/stats/week'
import { useNow } from '../focus/use-now.ts'
import type { Home } from '../stats/stats-queries.ts'
import { Ring } from '../ui/Ring.tsx'
import { RingTime } from '../ui/RingTime.tsx'
import { ScreenHeading } from '../ui/ScreenHeading.tsx'

/** Today on one grid: the greeting with the goal, the ring, and the status. */
export function DayView({ home }: { home: Home }) {
  const now = useNow(home.openSession !== null)
  const seconds = trackedSeconds(home.today, home.openSession, now)
  const minutes = wholeMinutes(seconds)
  const session = home.openSession && elapsedSeconds(new Date(home.openSession.startedAt), now)
  const goalMinutes = goalMinutesOn(home.goals, home.today.dayOfWeek, HOME_DEFAULT_GOAL_MINUTES)
  return (
    <main className="home column lg:frame">
      <div className="home-greeting">
        <ScreenHeading className="-mb-[0.3em] line-clamp-4 pb-[0.3em] text-title lg:text-greeting">
          Hi <bdi>{home.profile.username ?? 'there'}</bdi>
        </ScreenHeading>
        <p className="mt-1 text-body text-soft lg:mt-4">Today's Goal: {hoursAndMinutes(goalMinutes)}</p>
      </div>
      <div className="home-ring">
        <Ring
          {...ringFill(seconds / 60, goalMinutes)}
          hourMarks={hourMarkAngles(goalMinutes)}
          label={spokenDay(minutes, goalMinutes)}
        >
          <RingTime {...ringTime(minutes)} />
        </Ring>
      </div>
      <DayStatus minutes={minutes} goalMinutes={goalMinutes} session={session} />
    </main>
  )
}

interface DayStatusProps {
  minutes: number
  goalMinutes: number
  /** Seconds of the open session, or null. */
  session: number | null
}

function DayStatus({ minutes, goalMinutes, session }: DayStatusProps) {
  const status = dailyStatus(minutes, goalMinutes)
  const percent = percentOf(minutes, goalMinutes)
  return (
    <div className="home-status text-status lg:text-status-wide">
      <p className={status === 'over performer' ? 'text-green-text' : undefined}>{status}</p>
      {percent === null ? null : <p className="font-450 text-soft">{percent}%</p>}
      {session === null ? null : (
        <p className="home-clock text-body text-soft" role="timer" aria-live="off" aria-label="This session">
          {formatClock(session)}
        </p>
      )}
    </div>
  )
}

function spokenDay(minutes: number, goalMinutes: number): string {
  const percent = percentOf(minutes, goalMinutes)
  if (percent === null) return `${spokenDuration(minutes)} today, no goal`
  return `${spokenDuration(minutes)} of ${spokenDuration(goalMinutes)} today, ${percent} percent`
}
