import { TextField } from '../ui/TextField.tsx'

/** Asked for before anything about the account is changed. */
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
