import type { ReactNode } from 'react'
import { AppFrame } from '../AppFrame.tsx'
import { UsernameDialog } from '../account/UsernameDialog.tsx'
import { GoalsDialog } from '../goals/GoalsDialog.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Switch } from '../ui/Switch.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { useTitle } from '../ui/use-title.ts'
import { DayView } from './DayView.tsx'
import { type Home, useHome, useSwitchFocus } from './focus-queries.ts'

export default function HomeScreen() {
  useTitle('Home')
  const { data: home, isError, refetch } = useHome()
  if (home) return <LoadedHome home={home} />
  return <HomeFrame>{isError ? <LoadFailure onRetry={() => void refetch()} /> : <HomeSkeleton />}</HomeFrame>
}

function LoadedHome({ home }: { home: Home }) {
  const pressSwitch = useSwitchFocus()
  return (
    <AppFrame
      look={home.openSession ? 'focus' : 'light'}
      width="frame"
      control={<Switch label="deeb" checked={home.openSession !== null} onChange={pressSwitch} />}
    >
      <DayView home={home} />
      <Onboarding home={home} />
    </AppFrame>
  )
}

function Onboarding({ home }: { home: Home }) {
  if (!home.profile.username) return <UsernameDialog />
  if (home.goals.length === 0) return <GoalsDialog />
  return null
}

/** Before anything is known the switch is there, so that nothing moves, and does nothing. */
function HomeFrame({ children }: { children: ReactNode }) {
  return (
    <AppFrame look="light" width="frame" control={<Switch label="deeb" checked={false} disabled onChange={() => {}} />}>
      {children}
    </AppFrame>
  )
}

function HomeSkeleton() {
  return (
    <main className="home column lg:frame" aria-busy="true">
      <span className="sr-only" role="status">
        Loading...
      </span>
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
    </main>
  )
}

function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <main className="column flex flex-1 flex-col items-start justify-center">
      <h1 className="text-title">Your day could not be loaded</h1>
      <p className="mt-2 text-body text-soft">Nothing is lost. Check your connection and try again.</p>
      <TextButton onClick={onRetry}>Try again</TextButton>
    </main>
  )
}
