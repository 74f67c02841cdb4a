import { correctionFault } from '@deeb/core/focus/correction'
import { useState } from 'react'
import { serverNow } from '../server-clock.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { TextField } from '../ui/TextField.tsx'
import { showToast, withdrawFailures } from '../ui/toast.ts'
import { FAULT_TEXT, refusalText } from './correction-texts.ts'
import { dayText, fieldValue, instantOf, timeText } from './local-times.ts'
import { type EndedSession, useCorrectSession, useDiscardSession } from './session-queries.ts'

type Errors = { start?: string; end?: string }

/** The times of one ended session, to be corrected, and the way to delete it. */
export function SessionForm({ session, startedAt, endedAt, onDone }: EndedSession & { onDone: () => void }) {
  const correct = useCorrectSession()
  const [start, setStart] = useState(fieldValue(startedAt))
  const [end, setEnd] = useState(fieldValue(endedAt))
  const [errors, setErrors] = useState<Errors>({})
  const [isDeleting, setIsDeleting] = useState(false)

  async function save(): Promise<void> {
    if (correct.isPending) return
    withdrawFailures()
    const times = { startedAt: instantOf(start, startedAt), endedAt: instantOf(end, endedAt) }
    const found = errorsOf(times, startedAt)
    setErrors(found)
    if (found.start || found.end || !times.startedAt || !times.endedAt) return
    const correction = {
      session,
      ...(times.startedAt !== startedAt && { startedAt: times.startedAt }),
      ...(times.endedAt !== endedAt && { endedAt: times.endedAt }),
    }
    await correct.mutateAsync(correction).then(() => {
      showToast({ title: 'Session saved', tone: 'success' })
      onDone()
    }, showRefusal)
  }

  function showRefusal(failure: Error): void {
    const text = refusalText(failure)
    if (text) setErrors({ end: text })
    else
      showToast({ title: 'Error', description: 'Failed to save the session. Please try again.', tone: 'destructive' })
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        label="Start"
        type="datetime-local"
        value={start}
        onChange={(event) => setStart(event.currentTarget.value)}
        error={errors.start}
      />
      <TextField
        label="End"
        type="datetime-local"
        value={end}
        onChange={(event) => setEnd(event.currentTarget.value)}
        error={errors.end}
      />
      <div className="grid grid-cols-2 gap-3">
        <Button kind="destructive" onClick={() => setIsDeleting(true)} busy={correct.isPending}>
          Delete
        </Button>
        <Button kind="primary" type="submit" busy={correct.isPending}>
          {correct.isPending ? 'Saving...' : 'Save'}
        </Button>
      </div>
      {isDeleting ? <DeleteDialog {...{ session, startedAt, endedAt }} onClose={() => setIsDeleting(false)} /> : null}
    </form>
  )
}

function errorsOf(times: { startedAt: Date | null; endedAt: Date | null }, startBefore: Date): Errors {
  const { startedAt, endedAt } = times
  if (!startedAt || !endedAt) {
    return {
      ...(!startedAt && { start: 'Choose when it started.' }),
      ...(!endedAt && { end: 'Choose when it ended.' }),
    }
  }
  const isMovedBack = startedAt < startBefore
  const fault = correctionFault({ startedAt, endedAt, isMovedBack }, serverNow())
  if (!fault) return {}
  return fault === 'starts too early' ? { start: FAULT_TEXT[fault] } : { end: FAULT_TEXT[fault] }
}

function DeleteDialog({ session, startedAt, endedAt, onClose }: EndedSession & { onClose: () => void }) {
  const discard = useDiscardSession()
  function remove(): void {
    if (discard.isPending) return
    withdrawFailures()
    discard.mutateAsync(session).then(
      () => showToast({ title: 'Session deleted', tone: 'success' }),
      () =>
        showToast({
          title: 'Error',
          description: 'Failed to delete the session. Please try again.',
          tone: 'destructive',
        }),
    )
  }
  return (
    <Dialog
      dismissal="dismissible"
      title="Delete this session?"
      description={`${dayText(startedAt)}, ${timeText(startedAt)} to ${timeText(endedAt)}. Its time is taken off your totals.`}
      onDismiss={onClose}
    >
      <DialogActions>
        <Button kind="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="destructive" onClick={remove} busy={discard.isPending}>
          {discard.isPending ? 'Deleting...' : 'Delete'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
