import { claimCase, tapCase } from '@deeb/core/cases/api'
import { MAX_CASES } from '@deeb/core/cases/case'
import type { FocusSession } from '@deeb/core/focus/api'
import { elapsedSeconds } from '@deeb/core/focus/session'
import { MIN_TARGET_MINUTES } from '@deeb/core/focus/target'
import * as texts from '@deeb/texts/cases'
import * as commonTexts from '@deeb/texts/common'
import * as homeTexts from '@deeb/texts/home'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, api } from '../calls/api.ts'
import { serverNow } from '../calls/server-clock.ts'
import { useIsFresh } from '../calls/use-is-fresh.ts'
import { onboardingStep, useHome } from '../focus/day-queries.ts'
import { isSwitch } from '../focus/queue/stored-changes.ts'
import { reloadQueue, usePending } from '../focus/queue/switch-queue.ts'
import { pressSwitch, useSwitchFocus } from '../focus/use-switch-focus.ts'
import { useSignedInUserId } from '../session/auth-session.ts'
import SwitchOffer from '../shortcuts/SwitchOffer.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { useClickGuard } from '../ui/use-click-guard.ts'
import type { Tap } from './use-tap.ts'

/** `unchecked`: the server could not be asked. */
type Whose = 'own' | 'unclaimed' | 'unchecked'

/** Answers a tap: switches, or asks whether to switch or to claim, or says that the code is not the user's. */
export default function TappedCase({ tap, onDone }: { tap: Tap; onDone: () => void }) {
  const whose = useWhose(tap.code, onDone)
  const isPressed = useIsPressed()
  useEffect(() => {
    if (isPressed) onDone()
  }, [isPressed, onDone])
  if (isPressed) return null
  if (whose === 'unclaimed') return <Claim code={tap.code} onDone={onDone} />
  if (whose === 'own' && tap.isBySystem) return <Press onDone={onDone} />
  return whose ? <SwitchOffer to="other" onClose={onDone} /> : null
}

/** Whether the user has pressed the switch since the tap: that is what they want, and the tap must not undo it. */
function useIsPressed(): boolean {
  const [since] = useState(Date.now)
  const [wasPressed, setWasPressed] = useState(false)
  const isPending = usePending().some((change) => isSwitch(change) && change.actedAt >= since)
  // It is pending until the server has it.
  if (isPending && !wasPressed) setWasPressed(true)
  return wasPressed
}

/** Whose code it is; undefined until it is known, and if it is nobody's whom this concerns. */
function useWhose(code: string, onDone: () => void): Whose | undefined {
  const [whose, setWhose] = useState<Whose>()
  useEffect(() => {
    let isCurrent = true
    api(tapCase, { code }).then(
      (answer) => {
        if (isCurrent) setWhose(answer.whose)
      },
      (error: unknown) => {
        if (!isCurrent) return
        const isLimited = error instanceof ApiError && error.code === 'too_many_attempts'
        if (!isLimited && !isRefused(error)) return setWhose('unchecked')
        showToast({ title: isLimited ? texts.tooOften() : texts.notYours(), tone: 'note' })
        onDone()
      },
    )
    return () => {
      isCurrent = false
    }
  }, [code, onDone])
  return whose
}

/** A text that is no code is invalid. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid_input')
}

/** Presses the switch once, after the server has said which way. */
function Press({ onDone }: { onDone: () => void }) {
  const read = useHome()
  const isFresh = useIsFresh(read)
  const { isOn, openSession } = useSwitchFocus(read.data)
  const queryClient = useQueryClient()
  const userId = useSignedInUserId()
  const isPressed = useRef(false)
  const isOnboarded = read.data !== undefined && onboardingStep(read.data) === null
  useEffect(() => {
    if (!userId || !isFresh || isOn === undefined || isPressed.current) return
    isPressed.current = true
    void reloadQueue().then(() => {
      if (isOnboarded) {
        pressSwitch(queryClient, userId, isOn ? 'off' : 'on')
        showToast({
          title: isOn ? homeTexts.deebModeOff() : homeTexts.deebModeOn(),
          tone: 'success',
          action: {
            label: commonTexts.undo(),
            onPress: () =>
              isOn
                ? pressSwitch(queryClient, userId, 'on', restOf(openSession))
                : pressSwitch(queryClient, userId, 'off'),
          },
        })
      }
      onDone()
    })
  }, [userId, isFresh, isOn, openSession, isOnboarded, queryClient, onDone])
  // The network is gone since the code was checked.
  return read.isError ? <SwitchOffer to="other" onClose={onDone} /> : null
}

/** The rest of the target of a session, for its continuation. */
function restOf(session: FocusSession | null | undefined) {
  if (!session?.targetMinutes) return undefined
  const minutes = session.targetMinutes - Math.round(elapsedSeconds(new Date(session.startedAt), serverNow()) / 60)
  return minutes < MIN_TARGET_MINUTES ? undefined : { targetMinutes: minutes }
}

/** Asks whether an unclaimed code is on the user's case. */
function Claim({ code, onDone }: { code: string; onDone: () => void }) {
  async function claim(): Promise<boolean> {
    try {
      await api(claimCase, { code })
      showToast({ title: texts.isYoursNow(), description: texts.tapAgain(), tone: 'success' })
      return true
    } catch (error) {
      const isFull = error instanceof ApiError && error.code === 'too_many_cases'
      showFailure(
        isRefused(error) ? texts.notYours() : isFull ? texts.maximum({ count: MAX_CASES }) : texts.notClaimed(),
      )
      return isRefused(error)
    }
  }
  return (
    <FormDialog
      title={texts.isYours()}
      description={texts.isYoursNote()}
      action={texts.itIsMine()}
      isGuarded={useClickGuard(true)}
      onSubmit={claim}
      onClose={onDone}
    />
  )
}
