import type { FocusState } from '@deeb/core/focus/api'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AppFrame, type SubPage } from '../AppFrame.tsx'
import { Switch } from '../ui/Switch.tsx'
import { useTitle } from '../ui/use-title.ts'
import { ForgottenSession } from './ForgottenSession.tsx'
import { knownOpenSession } from './focus-reads.ts'
import { useSwitchFocus } from './use-switch-focus.ts'

interface FocusFrameProps {
  /** Of the screen, for the tab and for screen readers. */
  title: string
  /** What the screen's own read says of deeb mode; undefined while there is none. Then another screen's read counts. */
  focus: FocusState | undefined
  width?: 'column' | 'frame'
  subPage?: SubPage
  children: ReactNode
}

/** The frame of every screen on which the switch is the real one. */
export function FocusFrame({ title, focus, children, ...rest }: FocusFrameProps) {
  const pressSwitch = useSwitchFocus()
  const queries = useQueryClient()
  const openSession = focus ? focus.openSession : knownOpenSession(queries)
  const isOn = Boolean(openSession)
  useTitle(title, isOn ? 'In deeb mode' : undefined)
  return (
    <AppFrame
      {...rest}
      look={isOn ? 'focus' : 'light'}
      // Before anything is known the switch is there, so that nothing moves, and does nothing.
      control={<Switch label="deeb" checked={isOn} disabled={openSession === undefined} onChange={pressSwitch} />}
    >
      {children}
      <ForgottenSession session={focus?.forgottenSession} />
    </AppFrame>
  )
}
