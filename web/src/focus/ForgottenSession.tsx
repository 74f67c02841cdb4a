import type { FocusSession } from '@deeb/core/focus/api'
import { correctionFault } from '@deeb/core/focus/correction'
import { MAX_SESSION_HOURS } from '@deeb/core/focus/session'
import { useState } from 'react'
import { serverNow } from '../server-clock.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { TextField } from '../ui/TextField.tsx'
import { showToast, withdrawFailures } from '../ui/toast.ts'
import { FAULT_TEXT, refusalText } from './correction-texts.ts'
import { dayText, fieldValue, instantOf, timeText } from './local-times.ts'
import { useCorrectSession, useDiscardSession, useKeepSession } from './session-queries.ts'

/** Asks what to do with a session that was ended after 16 hours, on whichever screen its person comes back to. */
export function ForgottenSession({ session }: { session: FocusSession | null | undefined }) {
  if (!session?.endedAt) return null
  return <ForgottenDialog key={session.id} session={session} endedAt={new Date(session.endedAt)} />
}

function ForgottenDialog({ session, endedAt }: { session: FocusSession; endedAt: Date }) {
  const [isCorrecting, setIsCorrecting] = useState(false)
  const startedAt = new Date(session.startedAt)
  const description = isCorrecting
    ? `It began on ${dayText(startedAt)} at ${timeText(startedAt)}.`
    : `A session that began on ${dayText(startedAt)} at ${timeText(startedAt)} was still on after ${MAX_SESSION_HOURS} hours, so deeb ended it at ${timeText(endedAt)}.`
  return (
    <Dialog dismissal="blocking" title="Were you still in deeb mode?" description={description}>
      {isCorrecting ? (
        <EndForm session={session} endedAt={endedAt} onBack={() => setIsCorrecting(false)} />
      ) : (
        <Choices session={session} onCorrect={() => setIsCorrecting(true)} />
      )}
    </Dialog>
  )
}

function Choices({ session, onCorrect }: { session: FocusSession; onCorrect: () => void }) {
  const keep = useKeepSession()
  const discard = useDiscardSession()
  const busy = keep.isPending || discard.isPending
  const answer = (change: typeof keep) => {
    withdrawFailures()
    change.mutateAsync(session).catch(showFailure)
  }
  return (
    <div className="mt-6 flex flex-col gap-3">
      <Button kind="primary" busy={busy} onClick={() => answer(keep)}>
        Keep
      </Button>
      <Button kind="secondary" busy={busy} onClick={onCorrect}>
        It ended at ...
      </Button>
      <Button kind="destructive" busy={busy} onClick={() => answer(discard)}>
        Discard
      </Button>
    </div>
  )
}

function EndForm({ session, endedAt, onBack }: { session: FocusSession; endedAt: Date; onBack: () => void }) {
  const correct = useCorrectSession()
  const [value, setValue] = useState(fieldValue(endedAt))
  const [error, setError] = useState<string>()

  async function save(): Promise<void> {
    if (correct.isPending) return
    withdrawFailures()
    const end = instantOf(value, endedAt)
    if (!end) return setError('Choose when it ended.')
    const times = { startedAt: new Date(session.startedAt), endedAt: end, isMovedBack: false }
    const fault = correctionFault(times, serverNow())
    setError(fault ? FAULT_TEXT[fault] : undefined)
    if (!fault) await correct.mutateAsync({ session, endedAt: end }).catch(showRefusal)
  }

  function showRefusal(failure: Error): void {
    const text = refusalText(failure)
    if (text) setError(text)
    else showFailure()
  }

  return (
    <form
      noValidate
      className="mt-5"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        label="It ended at"
        type="datetime-local"
        value={value}
        min={fieldValue(new Date(session.startedAt))}
        max={fieldValue(endedAt)}
        onChange={(event) => setValue(event.currentTarget.value)}
        error={error}
      />
      <DialogActions>
        <Button kind="secondary" onClick={onBack} busy={correct.isPending}>
          Back
        </Button>
        <Button kind="primary" type="submit" busy={correct.isPending}>
          Save
        </Button>
      </DialogActions>
    </form>
  )
}

function showFailure(): void {
  const description = 'Your answer could not be saved. Please try again.'
  showToast({ title: 'Error', description, tone: 'destructive' })
}
