import { PasswordField } from './PasswordField.tsx'

/** The current password, required for every change of the account. */
export function CurrentPasswordField({ isWrong }: { isWrong: boolean }) {
  return (
    <PasswordField
      label="Current password"
      name="current"
      autoComplete="current-password"
      required
      error={isWrong ? 'This is not your password.' : undefined}
    />
  )
}
