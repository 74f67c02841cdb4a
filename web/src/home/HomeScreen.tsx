import * as texts from '@deeb/texts/home'
import { Suspense } from 'react'
import { NOTICE_KEY } from '../cache/query-client.ts'
import { useIsFresh } from '../calls/use-is-fresh.ts'
import { lazyPart } from '../device/lazy-part.tsx'
import { lazyScreen } from '../device/lazy-screen.ts'
import { onboardingStep, useHome } from '../focus/day-queries.ts'
import { FocusFrame } from '../sessions/FocusFrame.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { ScreenSkeleton, Skeleton } from '../ui/Skeleton.tsx'
import { useMediaQuery } from '../ui/use-media-query.ts'
import { DayView } from './DayView.tsx'

const Onboarding = lazyScreen(() => import('./Onboarding.tsx'))
const SecondFactorNotice = lazyPart(() => import('../account/SecondFactorNotice.tsx'))
const TeamNow = lazyPart(() => import('../team/TeamNow.tsx'))

export default function HomeScreen() {
  const read = useHome()
  const { data: home, isError, refetch } = read
  const isRead = useIsFresh(read)
  const step = home && isRead ? onboardingStep(home) : null
  return (
    <FocusFrame
      title={texts.title()}
      focus={home}
      offHint={home?.hasSessions === false ? texts.pressToStart() : undefined}
    >
      {home ? (
        <DayView home={home} beside={<Beside />} />
      ) : isError ? (
        <LoadFailure title={texts.dayFailed()} onRetry={() => void refetch()} />
      ) : (
        <HomeSkeleton />
      )}
      {home && isRead && !step ? <SecondFactorNotice storageKey={NOTICE_KEY} /> : null}
      {step ? (
        <Suspense>
          <Onboarding step={step} />
        </Suspense>
      ) : null}
    </FocusFrame>
  )
}

/** The team beside the ring, where there is room for it. */
function Beside() {
  const hasRoom = useMediaQuery('(min-width: 1280px) and (min-height: 600px)')
  return hasRoom ? (
    <div className="home-beside">
      <TeamNow />
    </div>
  ) : null
}

function HomeSkeleton() {
  return (
    <ScreenSkeleton className="home column wide:frame">
      <div className="home-greeting">
        <Skeleton shape="line" className="mt-1 h-7 w-32 lg:h-12 lg:w-64" />
        <Skeleton shape="line" className="mt-3 h-4 w-40" />
      </div>
      <div className="home-ring">
        <Skeleton shape="ring" className="w-full" />
      </div>
      <div className="home-status">
        <div className="home-line">
          <Skeleton shape="line" className="h-7 w-28" />
          <Skeleton shape="line" className="h-7 w-14" />
        </div>
      </div>
    </ScreenSkeleton>
  )
}
