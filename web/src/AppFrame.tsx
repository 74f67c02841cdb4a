import { APP_PATHS } from '@deeb/core/paths'
import { type ReactNode, useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import { BottomBar } from './ui/BottomBar.tsx'
import { SettingsIcon } from './ui/bar-icons.tsx'
import { PageHeader } from './ui/PageHeader.tsx'

interface AppFrameProps {
  /** `focus` turns the whole page black. */
  look: 'light' | 'focus'
  /** The right end of the header: the switch. */
  control: ReactNode
  width?: 'column' | 'frame'
  children: ReactNode
}

const BAR = [{ label: 'Settings', icon: SettingsIcon, path: APP_PATHS.settings }]

/** What every signed-in screen stands in: the header with its switch, and the bar. */
export function AppFrame({ look, control, width = 'column', children }: AppFrameProps) {
  const [path, navigate] = useLocation()
  useFocusLook(look)
  const items = BAR.map((item) => ({ ...item, current: item.path === path, onSelect: () => navigate(item.path) }))
  return (
    <div className="flex min-h-dvh flex-col pb-(--bar-height)">
      <PageHeader plugs={look === 'focus' ? 'in' : 'out'} width={width} onHome={() => navigate(APP_PATHS.home)}>
        {control}
      </PageHeader>
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
