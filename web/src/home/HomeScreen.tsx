import { UsernameDialog } from '../account/UsernameDialog.tsx'
import { FocusFrame } from '../FocusFrame.tsx'
import { GoalsDialog } from '../goals/GoalsDialog.tsx'
import { type Home, useHome } from '../stats/stats-queries.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { ScreenSkeleton, Skeleton } from '../ui/Skeleton.tsx'
import { useIsFresh } from '../use-is-fresh.ts'
import { DayView } from './DayView.tsx'

export default function HomeScreen() {
  const read = useHome()
  const { data: home, isError, refetch } = read
  const isRead = useIsFresh(read)
  return (
    <FocusFrame title="Home" focus={home} width="frame">
      {home ? <DayView home={home} /> : null}
      {home && isRead ? <Onboarding home={home} /> : null}
      {!home && isError ? <LoadFailure title="Your day could not be loaded" onRetry={() => void refetch()} /> : null}
      {!home && !isError ? <HomeSkeleton /> : null}
    </FocusFrame>
  )
}

function Onboarding({ home }: { home: Home }) {
  if (!home.profile.username) return <UsernameDialog />
  if (home.goals.length === 0) return <GoalsDialog />
  return null
}

function HomeSkeleton() {
  return (
    <ScreenSkeleton className="home column lg:frame">
      <div className="home-greeting">
        <Skeleton shape="line" className="mt-1 h-7 w-32 lg:h-12 lg:w-64" />
        <Skeleton shape="line" className="mt-3 h-4 w-40" />
      </div>
      <div className="home-ring">
        <Skeleton shape="ring" className="w-full" />
      </div>
      <div className="home-status">
        <Skeleton shape="line" className="h-7 w-28" />
        <Skeleton shape="line" className="h-7 w-14" />
      </div>
    </ScreenSkeleton>
  )
}
