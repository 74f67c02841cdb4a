import { APP_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/settings'
import { type ComponentType, Suspense } from 'react'
import { Redirect, useParams } from 'wouter'
import { useHome } from '../focus/day-queries.ts'
import { onboarded } from '../frame/onboarded.tsx'
import { FocusFrame } from '../sessions/FocusFrame.tsx'
import { ScreenSkeleton, Skeleton } from '../ui/Skeleton.tsx'
import { partOf } from './settings-parts.tsx'

export default onboarded(SettingsPart)

/** The screen of a part of Settings, by the last segment of the path. */
function SettingsPart() {
  const part = partOf(useParams().part)
  return part ? (
    <InFrame key={part.title()} title={part.title()} Screen={part.Screen} />
  ) : (
    <Redirect to={APP_PATHS.settings} replace />
  )
}

function InFrame({ title, Screen }: { title: string; Screen: ComponentType }) {
  const { data: home } = useHome()
  return (
    <FocusFrame
      title={title}
      focus={home}
      subPage={{ title, parent: APP_PATHS.settings, backLabel: texts.backToSettings() }}
    >
      <Suspense fallback={<PartSkeleton />}>
        <Screen />
      </Suspense>
    </FocusFrame>
  )
}

function PartSkeleton() {
  return (
    <ScreenSkeleton className="column flex-1 pb-5">
      <Skeleton shape="line" className="mt-8 h-5 w-28" />
      <Skeleton shape="line" className="mt-3 h-10" />
    </ScreenSkeleton>
  )
}
