import { APP_PATHS } from '@deeb/core/paths'
import { type ReactNode, Suspense } from 'react'
import { Redirect, useParams } from 'wouter'
import { ListState } from '../account/sign-in-settings/ListState.tsx'
import { useHome } from '../focus/day-queries.ts'
import { onboarded } from '../frame/onboarded.tsx'
import { FocusFrame } from '../sessions/FocusFrame.tsx'
import { partOf } from './settings-parts.tsx'

const LOADING = { data: undefined, isError: false, isPending: true, refetch: () => undefined }

/** The screen of a part of Settings, by the last segment of the path. */
export default function SettingsPart() {
  const { part: name } = useParams()
  if (!partOf(name)) return <Redirect to={APP_PATHS.settings} replace />
  // A user without a username can leave too.
  return name === 'data' ? <Part key={name} /> : <OnboardedPart key={name} />
}

const OnboardedPart = onboarded(Part)

function Part() {
  const { data: home } = useHome()
  const part = partOf(useParams().part)
  if (!part) return null
  const { parent, backLabel, isPage, Screen } = part
  const title = part.title()
  const Content = isPage ? WholePage : Column
  return (
    <FocusFrame title={title} focus={home} subPage={{ title, parent, backLabel: backLabel() }}>
      <Suspense
        fallback={
          <Column>
            <ListState read={LOADING} />
          </Column>
        }
      >
        <Content>
          <Screen />
        </Content>
      </Suspense>
    </FocusFrame>
  )
}

function WholePage({ children }: { children: ReactNode }) {
  return children
}

function Column({ children }: { children: ReactNode }) {
  return <main className="column flex-1 pb-5">{children}</main>
}
