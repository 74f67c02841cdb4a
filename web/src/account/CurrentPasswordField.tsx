import { TextField } from '../ui/TextField.tsx'

/** The current password, required for every change of the account. */
export function CurrentPasswordField({ isWrong }: { isWrong: boolean }) {
  return (
    <TextField
      label="Current password"
      name="current"
      type="password"
      autoComplete="current-password"
      required
      error={isWrong ? 'This is not your password.' : undefined}
    />
  )
}
