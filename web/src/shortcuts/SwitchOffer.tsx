import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/shortcuts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { onboardingStep, useHome } from '../focus/day-queries.ts'
import { pressSwitch, useSwitchFocus } from '../focus/use-switch-focus.ts'
import { useSignedInUserId } from '../session/auth-session.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { useClickGuard } from '../ui/use-click-guard.ts'

interface SwitchOfferProps {
  /** The offer: to switch on, or the opposite of what is. */
  to: 'on' | 'other'
  onClose: () => void
}

/**
 * Asks whether to switch. The shortcut of the installed app and a tap on a case open it, but so does a link that somebody has sent:
 * opening a URL must never switch by itself. Cancel gets the focus, so a key that is held down switches nothing.
 */
export default function SwitchOffer({ to, onClose }: SwitchOfferProps) {
  const { data: home } = useHome()
  const { isOn } = useSwitchFocus(home)
  const queryClient = useQueryClient()
  const userId = useSignedInUserId()
  const [wanted, setWanted] = useState<'on' | 'off' | undefined>(to === 'on' ? 'on' : undefined)
  const isReady = isOn !== undefined && home !== undefined && onboardingStep(home) === null
  if (isReady && !wanted) setWanted(isOn ? 'off' : 'on')
  const isDone = wanted !== undefined && isOn === (wanted === 'on')
  const isShown = isReady && !isDone
  const isGuarded = useClickGuard(isShown)
  useEffect(() => {
    if (isDone) onClose()
  }, [isDone, onClose])
  if (!isShown || !userId) return null
  return (
    <Dialog
      dismissal="dismissible"
      title={wanted === 'off' ? texts.switchOffQuestion() : texts.switchOnQuestion()}
      description={texts.switchOnNote()}
      onDismiss={onClose}
    >
      <div className="mt-5">
        <DialogActions>
          <Button kind="secondary" onClick={onClose}>
            {commonTexts.cancel()}
          </Button>
          <Button kind="primary" busy={isGuarded} onClick={() => pressSwitch(queryClient, userId, wanted)}>
            {wanted === 'off' ? texts.switchOff() : texts.switchOn()}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
