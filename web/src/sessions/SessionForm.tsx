import type { FocusSession } from '@deeb/core/focus/api'
import { useState } from 'react'
import { dayText, timeText } from '../local-time.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { showFailure, showToast, withdrawFailures } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { toEnded, useDiscardSession } from './sessions-queries.ts'
import { TimeField } from './TimeField.tsx'
import { useCorrection } from './use-correction.ts'

/** A form to correct the times of an ended focus session, and a button to delete it. */
export function SessionForm({ session, onDone }: { session: FocusSession; onDone: () => void }) {
  const { start, end, change, errors, busy, save } = useCorrection(session, onDone)
  const [isDeleting, setIsDeleting] = useState(false)
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TimeField label="Start" value={start} onChange={(start) => change({ start })} error={errors.start} />
      <TimeField label="End" value={end} onChange={(end) => change({ end })} error={errors.end} />
      <div className="grid grid-cols-2 gap-3">
        <Button kind="destructive" onClick={() => setIsDeleting(true)} busy={busy}>
          Delete
        </Button>
        <Button kind="primary" type="submit" busy={busy}>
          {busy ? 'Saving...' : 'Save'}
        </Button>
      </div>
      {isDeleting ? <DeleteDialog session={session} onClose={() => setIsDeleting(false)} /> : null}
    </form>
  )
}

function DeleteDialog({ session, onClose }: { session: FocusSession; onClose: () => void }) {
  const discard = useDiscardSession()
  const [busy, run] = useBusy()
  const { startedAt, endedAt } = toEnded(session)
  function remove(): Promise<void> {
    withdrawFailures()
    return discard.mutateAsync(session).then(
      () => showToast({ title: 'Session deleted', tone: 'success' }),
      () => showFailure('Failed to delete the session. Please try again.'),
    )
  }
  return (
    <Dialog
      dismissal="dismissible"
      title="Delete this session?"
      description={`${dayText(startedAt)}, ${timeText(startedAt)} to ${timeText(endedAt)}. Its time is subtracted from your totals.`}
      onDismiss={onClose}
      busy={busy}
    >
      <DialogActions>
        <Button kind="secondary" onClick={onClose} busy={busy}>
          Cancel
        </Button>
        <Button kind="destructive" onClick={() => void run(remove)} busy={busy}>
          {busy ? 'Deleting...' : 'Delete'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
