import { CORRECTABLE_DAYS } from '@deeb/core/sessions/correction'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/sessions'
import { useState } from 'react'
import { serverNow } from '../calls/server-clock.ts'
import { dayText } from '../device/local-date.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { FormError } from '../ui/FormError.tsx'
import { TextField } from '../ui/TextField.tsx'
import { partsOf } from './datetime-field.ts'
import { WhichTime } from './TimeField.tsx'
import { type OtherSessions, useMissedSession } from './use-missed-session.ts'

/** A button that opens a form to add a session that was missed. */
export function AddSession(others: OtherSessions) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button kind="secondary" size="list" onClick={() => setIsOpen(true)}>
        {texts.addSession()}
      </Button>
      {isOpen ? <AddDialog {...others} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

function AddDialog({ onClose, ...others }: OtherSessions & { onClose: () => void }) {
  const form = useMissedSession(others, onClose)
  const { date, start, starts, startTime, end, ends, endTime, errors, busy, failure, change, save } = form
  const endDate = end && partsOf(end).date
  return (
    <Dialog
      dismissal="dismissible"
      title={texts.addSession()}
      description={texts.addNote({ days: CORRECTABLE_DAYS })}
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
          label={texts.day()}
          type="date"
          value={date}
          min={partsOf(daysAgo(CORRECTABLE_DAYS)).date}
          max={partsOf(serverNow()).date}
          onChange={(event) => change({ date: event.currentTarget.value })}
          error={errors.date}
        />
        <div>
          <TextField
            label={texts.start()}
            type="time"
            value={startTime}
            onChange={(event) => change({ startTime: event.currentTarget.value })}
            error={errors.start}
          />
          <WhichTime meanings={starts} value={start} onChange={(chosenStart) => change({ chosenStart })} />
        </div>
        <div>
          <TextField
            label={texts.end()}
            type="time"
            value={endTime}
            onChange={(event) => change({ endTime: event.currentTarget.value })}
            error={errors.end}
            hint={end && endDate !== date ? texts.onDay({ day: dayText(end) }) : undefined}
          />
          <WhichTime meanings={ends} value={end} onChange={(chosenEnd) => change({ chosenEnd })} />
        </div>
        <FormError>{failure}</FormError>
        <DialogActions>
          <Button kind="secondary" onClick={onClose} busy={busy}>
            {commonTexts.cancel()}
          </Button>
          <Button kind="primary" type="submit" busy={busy}>
            {busy ? texts.adding() : texts.add()}
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
