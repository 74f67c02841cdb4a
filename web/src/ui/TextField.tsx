import { type ComponentPropsWithRef, useId } from 'react'
import { fieldLook } from './field-look.ts'

type TextFieldProps = Omit<ComponentPropsWithRef<'input'>, 'className' | 'style' | 'id' | 'size'> & {
  label: string
  type?: 'text' | 'email' | 'password' | 'datetime-local'
  /** What is wrong and what to do; read out with the field. */
  error?: string | undefined
}

/* In a field the browser sets the typeface a pixel low; the padding lifts it to the middle. */
const WORDS = 'pb-0.5 text-body'

/* The typeface's own bullet is a small square, and the system's is small at the size of text. */
const DOTS = 'font-[system-ui] text-[1.5rem] leading-none tracking-[0.125em]'

/** A field with its label above and its error below. Takes all of an input's own properties. */
export function TextField({ label, error, type = 'text', ...input }: TextFieldProps) {
  const id = useId()
  const errorId = `${id}-error`
  // Phones would write addresses and shown passwords with a capital and correct them.
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
        className={`h-13 w-full px-[15px] ${type === 'password' ? DOTS : WORDS} ${fieldLook}`}
      />
      {error ? (
        <p id={errorId} role="alert" className="mt-1.5 text-label text-pretty text-destructive">
          {error}
        </p>
      ) : null}
    </div>
  )
}
