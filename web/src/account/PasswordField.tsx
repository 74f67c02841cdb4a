import * as texts from '@deeb/texts/signIn'
import { type ComponentPropsWithRef, useState } from 'react'
import { TextField } from '../ui/TextField.tsx'

type PasswordFieldProps = Omit<ComponentPropsWithRef<typeof TextField>, 'type' | 'end'> & {
  /** The address of the account. Null where another field of the form has it. */
  username: string | null
}

/** A password field with a button that shows what was typed. */
export function PasswordField({ username, ...field }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      {/* Tells password managers whose password it is: else they offer all, and save a new one without a name. */}
      {username === null ? null : <input type="text" autoComplete="username" value={username} readOnly hidden />}
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
    </>
  )
}
