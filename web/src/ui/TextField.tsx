import * as texts from '@deeb/texts/field'
import { type ComponentPropsWithRef, type FormEvent, type ReactNode, useId } from 'react'
import { fieldLook } from './field-look.ts'

type TextFieldProps = Omit<ComponentPropsWithRef<'input'>, 'className' | 'style' | 'id' | 'size'> & {
  label: string
  type?: 'text' | 'email' | 'password' | 'datetime-local' | 'date' | 'time'
  /** The fault of the value, and what to do. Screen readers read it with the field. */
  error?: string | undefined
  /** The help before anything is wrong. */
  hint?: string | undefined
  /** A button inside the field, at its end. Its field takes text literally, as a password field does. */
  end?: ReactNode
  /** The end that the form adds to the value, such as `@acme.com`. */
  suffix?: string | undefined
}

/* Browsers draw the text a pixel too low in a field; the padding centres it. */
const PLAIN = 'pb-0.5 text-body'

/* Larger dots in the system font: the typeface's bullet is a small square. */
const DOTS = 'font-[system-ui] text-[1.5rem] leading-none tracking-[0.125em]'

/** A text field with its label above and its error below. Accepts all properties of an input. */
export function TextField({ label, error, hint, end, suffix, type = 'text', ...input }: TextFieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  // Phones would capitalise and autocorrect addresses and visible passwords.
  const literal = type === 'text' && !end ? {} : { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-label">
        {label}
      </label>
      <div className="relative">
        <input
          {...literal}
          onInvalid={explain}
          onInputCapture={explain}
          {...input}
          id={id}
          type={type}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${suffix ? `${id}-suffix` : ''} ${error || hint ? noteId : ''}`.trim() || undefined}
          style={suffix ? { paddingInlineEnd: `min(64%, ${suffix.length * 0.56 + 1.5}em)` } : undefined}
          className={`h-13 w-full px-[15px] ${end ? 'pe-22' : ''} ${type === 'password' ? DOTS : PLAIN} ${fieldLook}`}
        />
        {suffix ? (
          <div className="pointer-events-none absolute inset-y-0 end-[15px] flex max-w-[60%] items-center">
            <span id={`${id}-suffix`} className="truncate pb-0.5 text-body text-soft">
              {suffix}
            </span>
          </div>
        ) : null}
        {end ? <div className="absolute inset-y-0 end-0">{end}</div> : null}
      </div>
      {error ? (
        <p id={noteId} role="alert" ref={show} className="mt-1.5 text-label text-pretty text-destructive">
          {error}
        </p>
      ) : hint ? (
        <p id={noteId} className="mt-1.5 text-label text-pretty text-soft">
          {hint}
        </p>
      ) : null}
    </div>
  )
}

/** Scrolls what is wrong into view, above the buttons of a small dialog. */
function show(note: HTMLElement | null): void {
  note?.scrollIntoView({ block: 'nearest' })
}

/** The browser's own message is in the language of the browser, which can differ from that of the page. */
function explain({ currentTarget: field }: FormEvent<HTMLInputElement>): void {
  const { valueMissing, typeMismatch } = field.validity
  field.setCustomValidity(valueMissing ? texts.missing() : typeMismatch ? texts.notAnEmail() : '')
}
