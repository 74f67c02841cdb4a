import * as texts from '@deeb/texts/settings'
import { PasswordField } from './PasswordField.tsx'

/** The current password, required for every change of the account. */
export function CurrentPasswordField({ isWrong }: { isWrong: boolean }) {
  return (
    <PasswordField
      label={texts.currentPassword()}
      name="current"
      autoComplete="current-password"
      required
      error={isWrong ? texts.notYourPassword() : undefined}
    />
  )
}
