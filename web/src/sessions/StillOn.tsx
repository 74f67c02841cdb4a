import type { FocusSession } from '@deeb/core/focus/api'
import { targetEnd } from '@deeb/core/focus/target'
import { stillOnCause } from '@deeb/core/sessions/still-on'
import * as texts from '@deeb/texts/openSession'
import { useEffect, useEffectEvent, useState } from 'react'
import { serverNow } from '../calls/server-clock.ts'
import { timeOrDayText } from '../device/local-date.ts'
import { onTouch } from '../device/on-touch.ts'
import { usePending } from '../focus/queue/switch-queue.ts'
import { useNow } from '../focus/use-now.ts'
import { Button } from '../ui/Button.tsx'
import { focusHeading } from '../ui/ScreenHeading.tsx'
import { useLikelyEnd } from './likely-end-query.ts'
import { noteAnswer, noteAsked, noteTouch, reportIfDue, touchesOf } from './touches.ts'

const CARD = 'flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-card bg-surface px-4 py-3'

interface StillOnProps {
  session: FocusSession
  /** Called when the question appears or disappears, for the title of the page. */
  onAsk: (isAsking: boolean) => void
  onSwitchOff: () => void
}

/**
 * Asks "Still in deeb mode?" in a quiet line when the open session may be forgotten, and reports when this device was touched.
 * While the question is shown only its answer counts as a touch: who comes back late must not hide when they left.
 */
export default function StillOn({ session, onAsk, onSwitchOff }: StillOnProps) {
  const { cause, answer } = useStillOn(session)
  const isAsking = cause !== null
  useEffect(() => {
    onAsk(isAsking)
    return () => onAsk(false)
  }, [isAsking, onAsk])

  /** The button that has the focus goes. */
  function press(act: () => void): void {
    focusHeading()
    act()
  }
  return (
    <div className={isAsking ? 'column pb-4 wide:frame' : undefined}>
      <div className={isAsking ? CARD : undefined}>
        {/* In the page before its text, so that screen readers announce it. */}
        <p aria-live="polite" className={isAsking ? 'text-body' : 'sr-only'}>
          {isAsking ? texts.stillOn({ time: timeOrDayText(new Date(session.startedAt), serverNow()) }) : null}
        </p>
        {isAsking ? (
          <div className="flex flex-wrap gap-3">
            <Button kind="secondary" size="list" onClick={() => press(onSwitchOff)}>
              {texts.switchOff()}
            </Button>
            <Button kind="secondary" size="list" onClick={() => press(answer)}>
              {texts.yes()}
            </Button>
          </div>
        ) : null}
      </div>
    </div>
  )
}

/**
 * The question to show now, if any, and the function to answer it with "still on". Before it is shown the server is asked:
 * another device may have been touched. If the server does not answer, what this page knows counts.
 */
function useStillOn({ id, startedAt, targetMinutes }: FocusSession) {
  const now = useNow(true, { inBackground: true })
  const [, render] = useState({})
  const isAcknowledged = usePending().length === 0
  const { asked, touchedMs, answers } = touchesOf(id)
  const { data, refetch } = useLikelyEnd(id, { isEnabled: isAcknowledged, isShown: asked !== null })
  const startedMs = Date.parse(startedAt)
  const knownMs = data?.lastTouchAt ? Date.parse(data.lastTouchAt) : startedMs
  const session = {
    startedAt: new Date(startedMs),
    lastTouchAt: new Date(Math.max(startedMs, knownMs, touchedMs)),
    until: targetEnd({ startedAt, targetMinutes }),
    usualEndAt: data?.usualEndAt ? new Date(data.usualEndAt) : null,
    answers: [...(data?.answers ?? []), ...answers],
  }
  const cause = stillOnCause(session, now)

  useEffect(() => {
    if (cause === null) return noteAsked(id, null)
    if (cause === touchesOf(id).asked) return
    let isCurrent = true
    void refetch().then(() => {
      if (!isCurrent) return
      noteAsked(id, cause)
      render({})
    })
    return () => {
      isCurrent = false
    }
  }, [id, cause, refetch])

  const touch = useEffectEvent(() => {
    if (stillOnCause(session, serverNow()) === null) noteTouch(id)
  })
  useEffect(() => onTouch(() => touch()), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: at each tick.
  useEffect(() => {
    if (isAcknowledged) void reportIfDue(id, startedMs, knownMs)
  }, [now])

  return {
    cause: cause === asked ? cause : null,
    answer: () => {
      if (cause) void noteAnswer(id, cause)
      render({})
    },
  }
}
