import './profile.css'
import { APP_PATHS } from '@deeb/core/paths'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/stats'
import { Link, useLocation } from 'wouter'
import { enteredFrom } from '../device/history.ts'
import { useWeek } from '../focus/day-queries.ts'
import { onboarded } from '../frame/onboarded.tsx'
import { FocusFrame } from '../sessions/FocusFrame.tsx'
import { Button } from '../ui/Button.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { ScreenSkeleton, Skeleton } from '../ui/Skeleton.tsx'
import { TextLink } from '../ui/TextLink.tsx'
import { useLoadFailure } from '../ui/use-load-failure.ts'
import { useHasCompanyPage } from './company-page.ts'
import { WeekView } from './WeekView.tsx'

const FROM_HERE = enteredFrom(APP_PATHS.profile)

export default onboarded(ProfileScreen)

function ProfileScreen() {
  const week = useWeek()
  const { data, isError, refetch } = week
  useLoadFailure(week, texts.loadFailed())
  return (
    <FocusFrame title={commonTexts.profile()} focus={data}>
      {data ? (
        <WeekView current={data}>
          <Actions />
        </WeekView>
      ) : null}
      {!data && isError ? <LoadFailure title={texts.weekFailed()} onRetry={() => void refetch()} /> : null}
      {!data && !isError ? <ProfileSkeleton /> : null}
    </FocusFrame>
  )
}

function Actions() {
  const [, navigate] = useLocation()
  const hasCompanyPage = useHasCompanyPage()
  return (
    <>
      <div className="mt-4">
        <Button kind="secondary" onClick={() => navigate(APP_PATHS.goalSettings, { state: FROM_HERE })}>
          {texts.adjustGoals()}
        </Button>
      </div>
      <p className="mt-2 flex flex-wrap justify-between gap-x-4">
        <Link href={APP_PATHS.sessions} state={FROM_HERE} asChild>
          <TextLink>{texts.editSessions()}</TextLink>
        </Link>
        {hasCompanyPage ? (
          <Link href={APP_PATHS.company} state={FROM_HERE} asChild>
            <TextLink>{texts.yourCompany()}</TextLink>
          </Link>
        ) : null}
      </p>
    </>
  )
}

function ProfileSkeleton() {
  return (
    <ScreenSkeleton className="profile column wide:frame">
      <div>
        <div className="flex justify-between">
          <Skeleton shape="line" className="h-7 w-28 max-w-2/5" />
          <Skeleton shape="line" className="h-7 w-14 max-w-2/5" />
        </div>
        <Skeleton shape="block" className="mt-10 h-37" />
      </div>
      <div className="profile-rings mt-12 wide:mt-0">
        {['a', 'b', 'c', 'd'].map((ring) => (
          <div key={ring} className="profile-ring">
            <Skeleton shape="ring" />
          </div>
        ))}
      </div>
    </ScreenSkeleton>
  )
}
