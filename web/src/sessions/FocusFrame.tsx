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

const EndPill = lazyPart(() => import('./EndPill.tsx'))

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

/**
 * The frame of every screen but Settings, which has a preview switch. A page below a screen has no switch, which a user could take for
 * a switch of what the page is about: it has a button that ends a running session.
 */
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
        <div className="flex min-w-0 items-center gap-3">
          <div>
            <PendingNote />
          </div>
          {rest.subPage ? (
            openSession && <EndPill session={openSession} onEnd={switchOff} />
          ) : (
            <>
              {/* The switch itself says it to screen readers. */}
              {isOn === undefined ? null : (
                <p
                  className={`text-end ${hint ? 'switch-hint' : 'switch-word text-note text-soft'}`}
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
            </>
          )}
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
