import * as texts from '@deeb/texts/sessions'
import './time-field.css'
import { useId } from 'react'
import { timeAndZoneText } from '../device/local-time.ts'
import { TextField } from '../ui/TextField.tsx'
import { fieldValue, instantsOf, isSameMinute } from './datetime-field.ts'

interface TimeFieldProps {
  label: string
  /** Null while the field is empty. */
  value: Date | null
  onChange: (value: Date | null) => void
  error?: string | undefined
}

/**
 * A date and time of the device's clock, to the minute. If the clock is set back it asks which of the two times is meant, and
 * it visibly corrects a time that the clock skips.
 */
export function TimeField({ label, value, onChange, error }: TimeFieldProps) {
  const text = value ? fieldValue(value) : ''
  function read(typed: string): void {
    const near = value?.getTime() ?? 0
    const distance = (instant: Date) => Math.abs(instant.getTime() - near)
    onChange(instantsOf(typed).sort((a, b) => distance(a) - distance(b))[0] ?? null)
  }
  return (
    <div>
      <TextField
        label={label}
        type="datetime-local"
        value={text}
        onChange={(event) => read(event.currentTarget.value)}
        error={error}
      />
      <WhichTime meanings={instantsOf(text)} value={value} onChange={onChange} />
    </div>
  )
}

interface WhichTimeProps {
  /** The instants that a field can mean. With fewer than two there is nothing to ask. */
  meanings: Date[]
  value: Date | null
  onChange: (value: Date) => void
}

/** Asks which of two instants is meant, for a time that occurs twice. */
export function WhichTime({ meanings, value, onChange }: WhichTimeProps) {
  const name = useId()
  if (meanings.length < 2) return null
  return (
    <fieldset className="mt-1">
      <legend className="text-note text-soft">{texts.occursTwice()}</legend>
      <div className="flex flex-wrap gap-x-5">
        {meanings.map((meaning) => (
          <label key={meaning.getTime()} className="flex min-h-11 items-center gap-2 text-body">
            <input
              type="radio"
              name={name}
              className="size-5 accent-ink"
              checked={isSameMinute(meaning, value)}
              onChange={() => onChange(meaning)}
            />
            <span>{timeAndZoneText(meaning)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
