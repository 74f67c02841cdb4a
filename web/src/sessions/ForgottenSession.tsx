import type { FocusSession } from '@deeb/core/focus/api'
import { MAX_SESSION_HOURS } from '@deeb/core/focus/session'
import { useState } from 'react'
import { ApiError } from '../api.ts'
import { dayText, timeText } from '../local-time.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { showFailure, withdrawFailures } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { toEnded, useDiscardSession, useKeepSession } from './sessions-queries.ts'
import { TimeField } from './TimeField.tsx'
import { useCorrection } from './use-correction.ts'

/** Asks what to do with a forgotten session, which the server ended after 16 hours. Shown on every signed-in screen. */
export default function ForgottenSession({ session }: { session: FocusSession }) {
  const [step, setStep] = useState<'asking' | 'correcting' | 'asking again'>('asking')
  const { startedAt, endedAt } = toEnded(session)
  const began = `${dayText(startedAt)} at ${timeText(startedAt)}`
  const end =
    dayText(endedAt) === dayText(startedAt) ? timeText(endedAt) : `${timeText(endedAt)} on ${dayText(endedAt)}`
  const description =
    step === 'correcting'
      ? `It began on ${began}.`
      : `A session that began on ${began} was still on after ${MAX_SESSION_HOURS} hours, so deeb ended it at ${end}.`
  return (
    <Dialog dismissal="blocking" title="Were you still in deeb mode?" description={description}>
      {step === 'correcting' ? (
        <EndForm session={session} onBack={() => setStep('asking again')} />
      ) : (
        <Choices session={session} isBack={step === 'asking again'} onCorrect={() => setStep('correcting')} />
      )}
    </Dialog>
  )
}

interface ChoicesProps {
  session: FocusSession
  /** Whether the user returns from the other view of the dialog. Then the focus moves here too. */
  isBack: boolean
  onCorrect: () => void
}

function Choices({ session, isBack, onCorrect }: ChoicesProps) {
  const keep = useKeepSession()
  const discard = useDiscardSession()
  const [busy, run] = useBusy()
  const answer = (save: (session: FocusSession) => Promise<unknown>) =>
    run(() => {
      withdrawFailures()
      return save(session).catch(showUnlessAnswered)
    })
  return (
    <div className="mt-6 flex flex-col gap-3">
      <Button kind="primary" busy={busy} onClick={() => void answer(keep.mutateAsync)}>
        Keep
      </Button>
      <Button kind="secondary" busy={busy} onClick={onCorrect} autoFocus={isBack}>
        Set end time
      </Button>
      <Button kind="destructive" busy={busy} onClick={() => void answer(discard.mutateAsync)}>
        Discard
      </Button>
    </div>
  )
}

/** Ignores `not found`: the user has answered on another device. */
function showUnlessAnswered(error: Error): void {
  if (error instanceof ApiError && error.code === 'session_not_found') return
  showFailure('Your answer could not be saved. Please try again.')
}

function EndForm({ session, onBack }: { session: FocusSession; onBack: () => void }) {
  const { end, change, errors, busy, save } = useCorrection(session, onBack)
  return (
    <form
      noValidate
      className="mt-5"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TimeField label="End time" value={end} onChange={(end) => change({ end })} error={errors.end} autoFocus />
      <DialogActions>
        <Button kind="secondary" onClick={onBack} busy={busy}>
          Back
        </Button>
        <Button kind="primary" type="submit" busy={busy}>
          Save
        </Button>
      </DialogActions>
    </form>
  )
}
