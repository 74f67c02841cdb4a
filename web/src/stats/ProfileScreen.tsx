import './profile.css'
import { APP_PATHS } from '@deeb/core/paths'
import { readWeek } from '@deeb/core/stats/api'
import type { DayInMinutes } from '@deeb/core/stats/week-figures'
import { MIN_WEEKS_OF_YEAR, YEAR_PATH } from '@deeb/core/stats/year'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/stats'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAsOf } from '../calls/kept.ts'
import { enteredFrom } from '../device/history.ts'
import { useWeek } from '../focus/day-queries.ts'
import { AsOf } from '../frame/AsOf.tsx'
import { onboarded } from '../frame/onboarded.tsx'
import { FocusFrame } from '../sessions/FocusFrame.tsx'
import { Button } from '../ui/Button.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { ScreenSkeleton, Skeleton } from '../ui/Skeleton.tsx'
import { TextButton, TextLink } from '../ui/TextLink.tsx'
import { useLoadFailure } from '../ui/use-load-failure.ts'
import { useHasCompanyPage } from './company-page.ts'
import { WeekCard } from './WeekCard.tsx'
import { WeekView } from './WeekView.tsx'

const FROM_HERE = enteredFrom(APP_PATHS.profile)

export default onboarded(ProfileScreen)

function ProfileScreen() {
  const week = useWeek()
  const { data, isError, refetch } = week
  const asOf = useAsOf(week, [readWeek.path])
  useLoadFailure(week, texts.loadFailed())
  return (
    <FocusFrame title={commonTexts.profile()} focus={data}>
      {data ? (
        <WeekView current={data} note={<AsOf asOf={asOf} read={week} />}>
          {(monday, days) => <Actions earlierWeeks={data.earlierWeeks ?? 0} monday={monday} days={days ?? []} />}
        </WeekView>
      ) : null}
      {!data && isError ? <LoadFailure title={texts.weekFailed()} onRetry={() => void refetch()} /> : null}
      {!data && !isError ? <ProfileSkeleton /> : null}
    </FocusFrame>
  )
}

interface ActionsProps {
  /** The number of weeks with focus time before the current one. */
  earlierWeeks: number
  /** The shown week. */
  monday: string
  days: readonly DayInMinutes[]
}

function Actions({ earlierWeeks, monday, days }: ActionsProps) {
  const [, navigate] = useLocation()
  const hasCompanyPage = useHasCompanyPage()
  const [isSharing, setIsSharing] = useState(false)
  const hasTime = days.some(({ minutes }) => minutes > 0)
  return (
    <>
      <div className="mt-4">
        <Button kind="secondary" onClick={() => navigate(APP_PATHS.goalSettings, { state: FROM_HERE })}>
          {texts.adjustGoals()}
        </Button>
      </div>
      <div className="profile-links">
        <Link href={APP_PATHS.sessions} state={FROM_HERE} asChild>
          <TextLink>{texts.editSessions()}</TextLink>
        </Link>
        {hasTime ? <TextButton onClick={() => setIsSharing(true)}>{texts.shareWeek()}</TextButton> : null}
        {earlierWeeks >= MIN_WEEKS_OF_YEAR ? (
          <Link href={YEAR_PATH} state={FROM_HERE} asChild>
            <TextLink>{texts.yourYear()}</TextLink>
          </Link>
        ) : null}
        {hasCompanyPage ? (
          <Link href={APP_PATHS.company} state={FROM_HERE} asChild>
            <TextLink>{texts.yourCompany()}</TextLink>
          </Link>
        ) : null}
      </div>
      {isSharing && hasTime ? <WeekCard monday={monday} days={days} onClose={() => setIsSharing(false)} /> : null}
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
