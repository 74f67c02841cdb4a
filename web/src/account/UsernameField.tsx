import { MAX_USERNAME_CHARACTERS } from '@deeb/core/account/username'
import * as texts from '@deeb/texts/settings'
import { TextField } from '../ui/TextField.tsx'
import { isInvalidUsername } from './username-failure.ts'

interface UsernameFieldProps {
  value: string
  onChange: (value: string) => void
  failure: Error | null
}

/** The field of a username. It says the rule if the server has refused the name as invalid. */
export function UsernameField({ value, onChange, failure }: UsernameFieldProps) {
  return (
    <TextField
      label={texts.username()}
      name="username"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="nickname"
      maxLength={80}
      error={isInvalidUsername(failure) ? texts.usernameRule({ max: MAX_USERNAME_CHARACTERS }) : undefined}
    />
  )
}
