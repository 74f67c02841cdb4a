import { APP_PATHS, type AppPath } from '@deeb/core/paths'
import * as texts from '@deeb/texts/common'
import type { ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import { goUp } from '../device/history.ts'
import { type Look, useLook } from '../device/look.ts'
import { useRequestCount } from '../focus/day-queries.ts'
import { BottomBar } from '../ui/BottomBar.tsx'
import { ProfileIcon, SettingsIcon, TeamIcon } from '../ui/icons.tsx'
import { PageHeader, SubPageHeader } from '../ui/PageHeader.tsx'
import { LoadBoundary } from './LoadBoundary.tsx'

/** A page below a screen. The header shows its title and a back button. */
export interface SubPage {
  title: string
  parent: string
  backLabel: string
}

interface AppFrameProps {
  look: Look
  /** The end of the header, with the switch. */
  control: ReactNode
  subPage?: SubPage
  children: ReactNode
}

const BAR: { label: () => string; icon: typeof ProfileIcon; path: AppPath; subPages: AppPath[] }[] = [
  { label: texts.team, icon: TeamIcon, path: APP_PATHS.team, subPages: [APP_PATHS.circles, APP_PATHS.circle] },
  {
    label: texts.profile,
    icon: ProfileIcon,
    path: APP_PATHS.profile,
    subPages: [APP_PATHS.goalSettings, APP_PATHS.sessions, APP_PATHS.company],
  },
  { label: texts.settings, icon: SettingsIcon, path: APP_PATHS.settings, subPages: [] },
]

/** The frame of every signed-in screen: the header with the switch, and the bottom bar. */
export function AppFrame({ look, control, subPage, children }: AppFrameProps) {
  const [path, navigate] = useLocation()
  const search = useSearch()
  useLook(look)
  const requests = useRequestCount()
  /** Ignores the current screen: a second history entry for it would make Back do nothing. */
  function goTo(to: AppPath): void {
    // An earlier week is in the search.
    if (to !== path || search) navigate(to)
  }
  const items = BAR.map(({ label, icon, path: to, subPages }) => ({
    label: label(),
    icon,
    current: [to, ...subPages].some((item) => item === path) || path.startsWith(`${to}/`),
    badge: to === APP_PATHS.team ? requests : 0,
    onSelect: () => goTo(to),
  }))
  return (
    <div className="flex min-h-dvh flex-col pb-(--bar-height)">
      {subPage ? (
        <SubPageHeader title={subPage.title} backLabel={subPage.backLabel} onBack={() => goUp(subPage.parent)}>
          {control}
        </SubPageHeader>
      ) : (
        <PageHeader plugs={look === 'focus' ? 'in' : 'out'} onHome={() => goTo(APP_PATHS.home)}>
          {control}
        </PageHeader>
      )}
      <LoadBoundary>{children}</LoadBoundary>
      <BottomBar items={items} />
    </div>
  )
}
