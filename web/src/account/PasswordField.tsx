import * as texts from '@deeb/texts/signIn'
import { type ComponentPropsWithRef, useState } from 'react'
import { TextField } from '../ui/TextField.tsx'

type PasswordFieldProps = Omit<ComponentPropsWithRef<typeof TextField>, 'type' | 'end'>

/** A password field with a button that shows what was typed. */
export function PasswordField(field: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      {...field}
      type={isShown ? 'text' : 'password'}
      end={
        <button
          type="button"
          // Not "password": screen readers and tests would find two elements of that name.
          aria-label={isShown ? texts.hideCharacters() : texts.showCharacters()}
          onClick={() => setShown(!isShown)}
          className="h-full rounded-card px-[15px] text-label text-soft hover:text-ink focus-visible:-outline-offset-4"
        >
          {isShown ? texts.hide() : texts.show()}
        </button>
      }
    />
  )
}
