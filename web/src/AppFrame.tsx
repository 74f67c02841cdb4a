import { APP_PATHS, type AppPath } from '@deeb/core/paths'
import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import { BottomBar } from './ui/BottomBar.tsx'
import { ProfileIcon, SettingsIcon, TeamIcon } from './ui/bar-icons.tsx'
import { PageHeader, SubPageHeader } from './ui/PageHeader.tsx'

/** A page below a screen: its title stands in the header, beside the way back. */
export interface SubPage {
  title: string
  parent: AppPath
  backLabel: string
}

interface AppFrameProps {
  /** `focus` turns the whole page black. */
  look: 'light' | 'focus'
  /** The right end of the header: the switch. */
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

/** The screen that was shown before this one. */
let lastPath: string | undefined

/** What every signed-in screen stands in: the header with its switch, and the bar. */
export function AppFrame({ look, control, width = 'column', subPage, children }: AppFrameProps) {
  const [path, navigate] = useLocation()
  useFocusLook(look)
  useEffect(() => {
    return () => {
      lastPath = path
    }
  }, [path])
  /** As the browser's own way back, if that leads there; then neither leads here again. */
  function goBack(parent: AppPath): void {
    if (lastPath === parent) window.history.back()
    else navigate(parent, { replace: true })
  }
  const items = BAR.map(({ label, icon, path: to, subPages }) => ({
    label,
    icon,
    current: [to, ...subPages].some((own) => own === path),
    onSelect: () => navigate(to),
  }))
  return (
    <div className="flex min-h-dvh flex-col pb-(--bar-height)">
      {subPage ? (
        <SubPageHeader title={subPage.title} backLabel={subPage.backLabel} onBack={() => goBack(subPage.parent)}>
          {control}
        </SubPageHeader>
      ) : (
        <PageHeader plugs={look === 'focus' ? 'in' : 'out'} width={width} onHome={() => navigate(APP_PATHS.home)}>
          {control}
        </PageHeader>
      )}
      {children}
      <BottomBar items={items} />
    </div>
  )
}

/** Dark means focus, on the page as a whole and on what the browser draws round it; light again on leaving. */
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
