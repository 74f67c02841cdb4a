import { APP_PATHS, type AppPath } from '@deeb/core/paths'
import { type ReactNode, useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import { goUp } from './history.ts'
import { BottomBar } from './ui/BottomBar.tsx'
import { ProfileIcon, SettingsIcon, TeamIcon } from './ui/bar-icons.tsx'
import { PageHeader, SubPageHeader } from './ui/PageHeader.tsx'

/** A page below a screen. The header shows its title and a back button. */
export interface SubPage {
  title: string
  parent: AppPath
  backLabel: string
}

interface AppFrameProps {
  /** `focus` turns the whole page black. */
  look: 'light' | 'focus'
  /** The right end of the header, with the switch. */
  control: ReactNode
  width?: 'column' | 'frame'
  subPage?: SubPage
  children: ReactNode
}

const BAR: { label: string; icon: typeof ProfileIcon; path: AppPath; subPages: AppPath[] }[] = [
  { label: 'Team', icon: TeamIcon, path: APP_PATHS.team, subPages: [] },
  {
    label: 'Profile',
    icon: ProfileIcon,
    path: APP_PATHS.profile,
    subPages: [APP_PATHS.goalSettings, APP_PATHS.sessions],
  },
  { label: 'Settings', icon: SettingsIcon, path: APP_PATHS.settings, subPages: [] },
]

/** The frame of every signed-in screen: the header with the switch, and the bottom bar. */
export function AppFrame({ look, control, width = 'column', subPage, children }: AppFrameProps) {
  const [path, navigate] = useLocation()
  useFocusLook(look)
  /** Ignores the current screen: a second history entry for it would make Back do nothing. */
  function goTo(to: AppPath): void {
    if (to !== path) navigate(to)
  }
  const items = BAR.map(({ label, icon, path: to, subPages }) => ({
    label,
    icon,
    current: [to, ...subPages].some((item) => item === path),
    onSelect: () => goTo(to),
  }))
  return (
    <div className="flex min-h-dvh flex-col pb-(--bar-height)">
      {subPage ? (
        <SubPageHeader title={subPage.title} backLabel={subPage.backLabel} onBack={() => goUp(subPage.parent)}>
          {control}
        </SubPageHeader>
      ) : (
        <PageHeader plugs={look === 'focus' ? 'in' : 'out'} width={width} onHome={() => goTo(APP_PATHS.home)}>
          {control}
        </PageHeader>
      )}
      {children}
      <BottomBar items={items} />
    </div>
  )
}

/** Turns the page and the browser's own bars black in focus mode, and light again on unmount. */
function useFocusLook(look: 'light' | 'focus'): void {
  useLayoutEffect(() => {
    if (look === 'light') return
    const themeColor = document.querySelector('meta[name=theme-color]')
    const lightColor = themeColor?.getAttribute('content') ?? ''
    document.documentElement.dataset.focus = 'on'
    themeColor?.setAttribute('content', '#000000')
    return () => {
      delete document.documentElement.dataset.focus
      themeColor?.setAttribute('content', lightColor)
    }
  }, [look])
}
