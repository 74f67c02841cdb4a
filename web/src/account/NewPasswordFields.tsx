import { useAuthSettings } from './auth-queries.ts'
import { PasswordField } from './PasswordField.tsx'

/** The fields `password` and `confirm` of a form that sets a password. Says the rule before the first try. */
export function NewPasswordFields({ label }: { label: string }) {
  const minLength = useAuthSettings()?.password_min_length
  // Without the number the line is there already: the fields below must not move when it arrives.
  const rule =
    minLength === undefined ? 'Not a common password.' : `At least ${minLength} characters, and not a common password.`
  return (
    <>
      <PasswordField label={label} name="password" autoComplete="new-password" hint={rule} required />
      <PasswordField label="Confirm password" name="confirm" autoComplete="new-password" required />
    </>
  )
}
