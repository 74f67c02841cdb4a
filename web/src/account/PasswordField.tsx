import { type ComponentPropsWithRef, useState } from 'react'
import { TextField } from '../ui/TextField.tsx'

type PasswordFieldProps = Omit<ComponentPropsWithRef<typeof TextField>, 'type' | 'end'>

/** A password field with a button that shows what was typed. */
export function PasswordField(field: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  const verb = isShown ? 'Hide' : 'Show'
  return (
    <TextField
      {...field}
      type={isShown ? 'text' : 'password'}
      end={
        <button
          type="button"
          // Not "password": screen readers and tests would find two elements of that name.
          aria-label={`${verb} characters`}
          onClick={() => setShown(!isShown)}
          className="h-full rounded-card px-[15px] text-label text-soft hover:text-ink focus-visible:-outline-offset-4"
        >
          {verb}
        </button>
      }
    />
  )
}
