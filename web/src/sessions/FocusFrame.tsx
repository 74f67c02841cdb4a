import type { FocusSession, FocusState } from '@deeb/core/focus/api'
import * as texts from '@deeb/texts/home'
import { type ReactNode, useState } from 'react'
import { lazyPart } from '../device/lazy-part.tsx'
import { PendingNote } from '../focus/queue/PendingNote.tsx'
import { useSwitchFocus } from '../focus/use-switch-focus.ts'
import { AppFrame, type SubPage } from '../frame/AppFrame.tsx'
import { useScreenTitle } from '../frame/use-screen-title.ts'
import { Switch } from '../ui/Switch.tsx'

const StillOn = lazyPart(() => import('./StillOn.tsx'))

const ForgottenSession = lazyPart(() => import('./ForgottenSession.tsx'))

interface FocusFrameProps {
  /** The screen's title, for the browser tab and for screen readers. */
  title: string
  /** Deeb mode from the screen's own query. Undefined before its response; until then another query's response is shown. */
  focus?: FocusState | undefined
  subPage?: SubPage
  /** The hint at what to do first, next to the switch while deeb mode is off. */
  offHint?: string | undefined
  children: ReactNode
}

/** The frame of every screen with the real switch. Settings has a preview switch instead. */
export function FocusFrame({ title, focus, offHint, children, ...rest }: FocusFrameProps) {
  const { isOn, openSession, pressSwitch, switchOff } = useSwitchFocus(focus)
  const [isAsking, setIsAsking] = useState(false)
  const hint = isOn ? undefined : offHint
  useScreenTitle(title, isOn, isAsking)
  return (
    <AppFrame
      {...rest}
      look={isOn === undefined ? undefined : isOn ? 'focus' : 'light'}
      control={
        // On the narrowest screens the note has no room beside a title: it moves to its own line.
        <div className={`flex min-w-0 items-center gap-3 ${rest.subPage ? 'max-[379px]:contents' : ''}`}>
          <div className={rest.subPage ? 'max-[379px]:order-last max-[379px]:w-full' : undefined}>
            <PendingNote />
          </div>
          {/* The switch itself says it to screen readers. */}
          {isOn === undefined ? null : (
            <p
              className={`text-end ${
                hint ? 'switch-hint' : `switch-word text-note text-soft ${rest.subPage ? 'max-sm:hidden' : ''}`
              }`}
              aria-hidden="true"
            >
              {hint ?? (isOn ? texts.deebModeOn() : texts.deebModeOff())}
            </p>
          )}
          {/* Disabled until the state is known, so that nothing moves when it is. */}
          <Switch
            label="deeb"
            checked={isOn ?? false}
            disabled={isOn === undefined}
            onChange={pressSwitch}
            shortcut="D"
          />
        </div>
      }
    >
      {openSession ? <StillOn session={openSession} onAsk={setIsAsking} onSwitchOff={switchOff} /> : null}
      {children}
      <ForgottenQuestion session={focus?.forgottenSession} />
    </AppFrame>
  )
}

/** The question about a session that the server ended. Every signed-in screen asks it. */
export function ForgottenQuestion({ session }: { session: FocusSession | null | undefined }) {
  return session ? <ForgottenSession key={session.id} session={session} /> : null
}
