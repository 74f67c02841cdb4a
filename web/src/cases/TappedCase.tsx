import { claimCase, tapCase } from '@deeb/core/cases/api'
import { MAX_CASES } from '@deeb/core/cases/case'
import * as texts from '@deeb/texts/cases'
import * as commonTexts from '@deeb/texts/common'
import * as homeTexts from '@deeb/texts/home'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, api } from '../calls/api.ts'
import { useIsFresh } from '../calls/use-is-fresh.ts'
import { lazyPart } from '../device/lazy-part.tsx'
import { onboardingStep, useHome } from '../focus/day-queries.ts'
import { reloadQueue } from '../focus/queue/switch-queue.ts'
import { pressSwitch, useSwitchFocus } from '../focus/use-switch-focus.ts'
import { useSignedInUserId } from '../session/auth-session.ts'
import { FormDialog } from '../ui/FormDialog.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import type { Tap } from './use-tap.ts'

const SwitchOffer = lazyPart(() => import('../shortcuts/SwitchOffer.tsx'))

/** `unchecked`: the server could not be asked. */
type Whose = 'own' | 'unclaimed' | 'unchecked'

/** Answers a tap: switches, or asks whether to switch or to claim, or says that the code is not the user's. */
export default function TappedCase({ tap, onDone }: { tap: Tap; onDone: () => void }) {
  const whose = useWhose(tap.code, onDone)
  if (whose === 'unclaimed') return <Claim code={tap.code} onDone={onDone} />
  if (whose === 'own' && tap.isBySystem) return <Press onDone={onDone} />
  return whose ? <SwitchOffer to="other" onClose={onDone} /> : null
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
        if (!isRefused(error)) return setWhose('unchecked')
        showToast({ title: texts.notYours(), tone: 'note' })
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
  const { isOn } = useSwitchFocus(read.data)
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
          action: { label: commonTexts.undo(), onPress: () => pressSwitch(queryClient, userId, isOn ? 'on' : 'off') },
        })
      }
      onDone()
    })
  }, [userId, isFresh, isOn, isOnboarded, queryClient, onDone])
  // The network is gone since the code was checked.
  return read.isError ? <SwitchOffer to="other" onClose={onDone} /> : null
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
      onSubmit={claim}
      onClose={onDone}
    />
  )
}
