import type { FocusSession } from '@deeb/core/focus/api'
import { CORRECTABLE_DAYS } from '@deeb/core/sessions/correction'
import { useState } from 'react'
import { dayText } from '../local-time.ts'
import { serverNow } from '../server-clock.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { FormError } from '../ui/FormError.tsx'
import { TextField } from '../ui/TextField.tsx'
import { partsOf } from './datetime-field.ts'
import { WhichTime } from './TimeField.tsx'
import { useMissedSession } from './use-missed-session.ts'

/** A button that opens a form to add a session that was missed. */
export function AddSession({ sessions }: { sessions: readonly FocusSession[] }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button kind="secondary" size="list" onClick={() => setIsOpen(true)}>
        Add a session
      </Button>
      {isOpen ? <AddDialog sessions={sessions} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

function AddDialog({ sessions, onClose }: { sessions: readonly FocusSession[]; onClose: () => void }) {
  const form = useMissedSession(sessions, onClose)
  const { date, start, starts, startTime, end, ends, endTime, errors, busy, failure, change, save } = form
  const endDate = end && partsOf(end).date
  return (
    <Dialog
      dismissal="dismissible"
      title="Add a session"
      description={`For time of the last ${CORRECTABLE_DAYS} days in which you forgot to switch on.`}
      onDismiss={onClose}
      busy={busy}
    >
      <form
        noValidate
        className="mt-5 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label="Day"
          type="date"
          value={date}
          min={partsOf(daysAgo(CORRECTABLE_DAYS)).date}
          max={partsOf(serverNow()).date}
          onChange={(event) => change({ date: event.currentTarget.value })}
          error={errors.date}
        />
        <div>
          <TextField
            label="Start"
            type="time"
            value={startTime}
            onChange={(event) => change({ startTime: event.currentTarget.value })}
            error={errors.start}
          />
          <WhichTime meanings={starts} value={start} onChange={(chosenStart) => change({ chosenStart })} />
        </div>
        <div>
          <TextField
            label="End"
            type="time"
            value={endTime}
            onChange={(event) => change({ endTime: event.currentTarget.value })}
            error={errors.end}
            hint={end && endDate !== date ? `On ${dayText(end)}.` : undefined}
          />
          <WhichTime meanings={ends} value={end} onChange={(chosenEnd) => change({ chosenEnd })} />
        </div>
        <FormError>{failure}</FormError>
        <DialogActions>
          <Button kind="secondary" onClick={onClose} busy={busy}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" busy={busy}>
            {busy ? 'Adding...' : 'Add'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function daysAgo(days: number): Date {
  const day = serverNow()
  day.setDate(day.getDate() - days)
  return day
}
