import { useId, useState } from 'react'
import { fieldLook } from './field-look.ts'

type NumberFieldProps = {
  label: string
  value: number
  /** Called with whole numbers from `min` to `max`. Input that is not a number counts as 0. */
  onChange: (value: number) => void
  min: number
  max: number
  /** The id of the element with the unit. */
  describedBy?: string
}

/** A number field with its label at the start. While it has the focus, it shows the raw input. */
export function NumberField({ label, value, onChange, min, max, describedBy }: NumberFieldProps) {
  const id = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const read = (text: string) => {
    setDraft(text)
    const number = Math.trunc(Number(text))
    onChange(Number.isNaN(number) ? 0 : Math.min(max, Math.max(min, number)))
  }
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <label htmlFor={id} className="text-body wrap-normal">
        {label}
      </label>
      <input
        id={id}
        type="number"
        inputMode="numeric"
        min={min}
        max={max}
        value={draft ?? value}
        aria-describedby={describedBy}
        onChange={(event) => read(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => setDraft(null)}
        // The mouse wheel over a focused number field would change the number instead of scrolling the dialog.
        onWheel={(event) => event.currentTarget.blur()}
        className={`ms-auto h-11 w-[min(6rem,112px)] px-[15px] pb-0.5 text-right text-body font-550 ${fieldLook}`}
      />
    </div>
  )
}
