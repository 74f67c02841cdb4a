import type { FocusState } from '@deeb/core/focus/api'
import type { ReactNode } from 'react'
import { AppFrame, type SubPage } from '../AppFrame.tsx'
import { Switch } from '../ui/Switch.tsx'
import { ForgottenSession } from './ForgottenSession.tsx'
import { useSwitchFocus } from './use-switch-focus.ts'

interface FocusFrameProps {
  /** What the screen's own read says of deeb mode; undefined while there is none. */
  focus: FocusState | undefined
  width?: 'column' | 'frame'
  subPage?: SubPage
  children: ReactNode
}

/** The frame of every screen on which the switch is the real one. */
export function FocusFrame({ focus, children, ...rest }: FocusFrameProps) {
  const pressSwitch = useSwitchFocus()
  const isOn = Boolean(focus?.openSession)
  return (
    <AppFrame
      {...rest}
      look={isOn ? 'focus' : 'light'}
      // Before anything is known the switch is there, so that nothing moves, and does nothing.
      control={<Switch label="deeb" checked={isOn} disabled={!focus} onChange={pressSwitch} />}
    >
      {children}
      <ForgottenSession session={focus?.forgottenSession} />
    </AppFrame>
  )
}
