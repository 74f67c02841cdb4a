import '../ui/chip.css'
import './quiet.css'
import type { Circle } from '@deeb/core/circles/api'
import type { OwnQuietTimes } from '@deeb/core/circles/quiet-api'
import { firstFault, MAX_QUIET_TIMES, type QuietTime } from '@deeb/core/circles/quiet-times'
import { WEEK_FROM_MONDAY } from '@deeb/core/goals/week-of-goals'
import { weekdayName, weekdayShortName } from '@deeb/core/goals/weekday-names'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/quiet'
import { useId, useRef, useState } from 'react'
import { v4 as uuidv4 } from 'uuid'
import { currentTimeZone } from '../device/local-time.ts'
import { succeeded } from '../team/team-queries.ts'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextField } from '../ui/TextField.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { withElements } from '../ui/with-elements.tsx'
import { useSetQuietTimes } from './quiet-queries.ts'

/** Tuesday and Thursday, 9:00 to 11:00: the usual ones. */
const FIRST: QuietTime = { days: [2, 4], from: 9 * 60, to: 11 * 60 }

const DAY_MINUTES = 24 * 60

interface QuietTimesDialogProps {
  circle: Circle
  quiet: OwnQuietTimes
  onClose: () => void
}

type Row = QuietTime & { key: string }

const rowOf = (time: QuietTime): Row => ({ ...time, key: uuidv4() })

/** Where the keeper sets the quiet times of a circle, in its time zone or, for the first ones, in that of the device. */
export function QuietTimesDialog({ circle, quiet, onClose }: QuietTimesDialogProps) {
  const save = useSetQuietTimes(circle)
  const [rows, setRows] = useState<Row[]>(() => (quiet.times.length > 0 ? quiet.times : [FIRST]).map(rowOf))
  const [timeZone, setTimeZone] = useState(quiet.timeZone ?? currentTimeZone())
  const [addedKey, setAddedKey] = useState<string>()
  const [faultyKey, setFaultyKey] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  useFocusAfterRemoval(list, '.quiet-add button')
  function change(key: string, part: Partial<QuietTime>): void {
    setRows((rows) => rows.map((row) => (row.key === key ? { ...row, ...part } : row)))
    setFaultyKey(undefined)
  }

  function add(): void {
    const row = rowOf({ ...FIRST, days: [] })
    setRows((rows) => [...rows, row])
    setAddedKey(row.key)
  }

  async function submit(): Promise<boolean> {
    const times = rows.map(({ key: _, ...time }) => time)
    const fault = firstFault(times)
    setFaultyKey(rows[fault]?.key)
    if (fault >= 0) return false
    return succeeded(save.mutateAsync({ timeZone, times }))
  }
  return (
    <FormDialog
      title={texts.dialogTitle({ circle: circle.name })}
      description={texts.dialogNote()}
      action={commonTexts.save()}
      onSubmit={submit}
      onClose={onClose}
    >
      <div ref={list} className="grid gap-4">
        {rows.map((row, n) => (
          <TimeRow
            key={row.key}
            number={n + 1}
            time={row}
            error={row.key === faultyKey ? texts.notPossible() : undefined}
            isNew={row.key === addedKey}
            onChange={(part) => change(row.key, part)}
            onRemove={() => setRows((rows) => rows.filter(({ key }) => key !== row.key))}
          />
        ))}
      </div>
      {rows.length < MAX_QUIET_TIMES ? (
        <div className="quiet-add">
          <TextButton onClick={add}>{texts.add()}</TextButton>
        </div>
      ) : null}
      <div>
        <p className="text-note text-soft">{withElements(texts.inZone, { zone: <bdi>{timeZone}</bdi> })}</p>
        {timeZone === currentTimeZone() ? null : (
          <TextButton tone="soft" onClick={() => setTimeZone(currentTimeZone())}>
            {texts.takeZone({ zone: currentTimeZone() })}
          </TextButton>
        )}
      </div>
    </FormDialog>
  )
}

/** Focuses an element when it is added, or faulty. */
const focus = (element: HTMLElement | null) => element?.focus()

interface TimeRowProps {
  number: number
  time: QuietTime
  error: string | undefined
  /** Whether it has just been added: then its first field gets the focus. */
  isNew: boolean
  onChange: (part: Partial<QuietTime>) => void
  onRemove: () => void
}

function TimeRow({ number, time: { days, from, to }, error, isNew, onChange, onRemove }: TimeRowProps) {
  const noteId = useId()
  const toggle = (day: number, isOn: boolean) =>
    onChange({ days: isOn ? [...days, day] : days.filter((d) => d !== day) })
  return (
    <fieldset
      ref={error ? focus : undefined}
      tabIndex={-1}
      aria-describedby={noteId}
      className="grid gap-2 outline-none"
    >
      <legend className="sr-only">{texts.timeNumber({ number })}</legend>
      <div className="quiet-days">
        {WEEK_FROM_MONDAY.map((day, n) => (
          <label key={day} className="chip">
            <input
              ref={isNew && n === 0 ? focus : undefined}
              type="checkbox"
              className="sr-only"
              aria-label={weekdayName(day)}
              checked={days.includes(day)}
              onChange={(event) => toggle(day, event.currentTarget.checked)}
            />
            <span aria-hidden="true">{weekdayShortName(day)}</span>
          </label>
        ))}
      </div>
      <div className="quiet-clock">
        <TextField
          label={texts.from()}
          type="time"
          required
          value={fieldText(from)}
          onChange={({ currentTarget: { value } }) => onChange({ from: minutesOf(value) ?? from })}
        />
        <TextField
          label={texts.to()}
          type="time"
          required
          value={fieldText(to)}
          onChange={({ currentTarget: { value } }) => onChange({ to: (minutesOf(value) ?? to) || DAY_MINUTES })}
        />
        <TextButton tone="soft" aria-label={`${texts.remove()} ${texts.timeNumber({ number })}`} onClick={onRemove}>
          {texts.remove()}
        </TextButton>
      </div>
      <p id={noteId} role="alert" className="text-label text-pretty text-destructive empty:hidden">
        {error}
      </p>
    </fieldset>
  )
}

/** Midnight at the end of a day is `00:00` in a field. */
function fieldText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60) % 24, minutes % 60]
  return `${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}

/** Null while the field is not complete. */
function minutesOf(text: string): number | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(text) ?? []
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes)
}
