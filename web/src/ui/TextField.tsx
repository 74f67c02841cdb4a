import { type ComponentPropsWithRef, useId } from 'react'
import { fieldLook } from './field-look.ts'

type TextFieldProps = Omit<ComponentPropsWithRef<'input'>, 'className' | 'style' | 'id' | 'size'> & {
  label: string
  type?: 'text' | 'email' | 'password' | 'datetime-local'
  /** What is wrong and what to do. Screen readers read it with the field. */
  error?: string | undefined
}

/* Browsers draw the text a pixel too low in a field; the padding centres it. */
const PLAIN = 'pb-0.5 text-body'

/* Larger dots in the system font: the typeface's bullet is a small square. */
const DOTS = 'font-[system-ui] text-[1.5rem] leading-none tracking-[0.125em]'

/** A text field with its label above and its error below. Accepts all properties of an input. */
export function TextField({ label, error, type = 'text', ...input }: TextFieldProps) {
  const id = useId()
  const errorId = `${id}-error`
  // Phones would capitalise and autocorrect addresses and visible passwords.
  const literal = type === 'text' ? {} : { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-label">
        {label}
      </label>
      <input
        {...literal}
        {...input}
        id={id}
        type={type}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
        className={`h-13 w-full px-[15px] ${type === 'password' ? DOTS : PLAIN} ${fieldLook}`}
      />
      {error ? (
        <p id={errorId} role="alert" className="mt-1.5 text-label text-pretty text-destructive">
          {error}
        </p>
      ) : null}
    </div>
  )
}
