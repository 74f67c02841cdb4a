import './profile.css'
import { APP_PATHS } from '@deeb/core/paths'
import { percentOf } from '@deeb/core/stats/status'
import { trackedSeconds, wholeMinutes } from '@deeb/core/stats/week'
import { sumOfDays, weeklyStatus } from '@deeb/core/stats/week-figures'
import { Link, useLocation } from 'wouter'
import { FocusFrame } from '../FocusFrame.tsx'
import { useNow } from '../focus/use-now.ts'
import { enteredFrom } from '../history.ts'
import { onboarded } from '../onboarded.tsx'
import { Button } from '../ui/Button.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { ScreenHeading } from '../ui/ScreenHeading.tsx'
import { ScreenSkeleton, Skeleton } from '../ui/Skeleton.tsx'
import { TextLink } from '../ui/TextLink.tsx'
import { useLoadFailure } from '../ui/use-load-failure.ts'
import { AverageRings } from './AverageRings.tsx'
import { useWeek, type Week } from './stats-queries.ts'
import { WeekChart } from './WeekChart.tsx'

const FROM_HERE = enteredFrom(APP_PATHS.profile)

export default onboarded(ProfileScreen)

function ProfileScreen() {
  const week = useWeek()
  const { data, isError, refetch } = week
  useLoadFailure(week, 'Failed to load profile data')
  return (
    <FocusFrame title="Profile" focus={data}>
      {data ? <WeekView data={data} /> : null}
      {!data && isError ? <LoadFailure title="Your week could not be loaded" onRetry={() => void refetch()} /> : null}
      {!data && !isError ? <ProfileSkeleton /> : null}
    </FocusFrame>
  )
}

/** The current week: saved time plus the open session. */
function WeekView({ data }: { data: Week }) {
  const [, navigate] = useLocation()
  const now = useNow(data.openSession !== null)
  const days = data.week.map((day) => ({
    ...day,
    minutes: wholeMinutes(trackedSeconds(day, data.openSession, now)),
  }))
  const { minutes, goalMinutes } = sumOfDays(days)
  const today = days.find((day) => now < new Date(day.endsAt)) ?? days.at(-1)
  return (
    <main className="profile column">
      <ScreenHeading className="sr-only">Profile</ScreenHeading>
      <WeekStatus minutes={minutes} goalMinutes={goalMinutes} />
      <WeekChart days={days} todaysDate={today?.date} />
      <AverageRings minutes={minutes} averageMinutes={data.averageWeekMinutes} />
      <div className="mt-4">
        <Button kind="secondary" onClick={() => navigate(APP_PATHS.goalSettings, { state: FROM_HERE })}>
          Adjust Daily Goals
        </Button>
      </div>
      <p className="mt-2">
        <Link href={APP_PATHS.sessions} state={FROM_HERE} asChild>
          <TextLink>Edit sessions</TextLink>
        </Link>
      </p>
    </main>
  )
}

function WeekStatus({ minutes, goalMinutes }: { minutes: number; goalMinutes: number }) {
  const status = weeklyStatus(minutes, goalMinutes)
  const percent = percentOf(minutes, goalMinutes)
  return (
    <div className="flex items-baseline justify-between text-status">
      <p className={status === 'over performer' ? 'text-green-text' : undefined}>{status}</p>
      {percent === null ? null : <p className="font-450 text-soft">{percent}%</p>}
    </div>
  )
}

function ProfileSkeleton() {
  return (
    <ScreenSkeleton className="profile column">
      <div className="flex justify-between">
        <Skeleton shape="line" className="h-7 w-28" />
        <Skeleton shape="line" className="h-7 w-14" />
      </div>
      <Skeleton shape="block" className="mt-10 h-37" />
      <div className="profile-rings mt-12">
        {['a', 'b', 'c', 'd'].map((ring) => (
          <Skeleton key={ring} shape="ring" className="w-28" />
        ))}
      </div>
    </ScreenSkeleton>
  )
}
