import * as texts from '@deeb/texts/signIn'
import { useAuthSettings } from './auth-queries.ts'
import { PasswordField } from './PasswordField.tsx'

/** The fields `password` and `confirm` of a form that sets a password. Says the rule before the first try. */
export function NewPasswordFields({ label }: { label: string }) {
  const minLength = useAuthSettings()?.password_min_length
  // Without the number the line is there already: the fields below must not move when it arrives.
  const rule = minLength === undefined ? texts.passwordRule() : texts.passwordRuleWithLength({ min: minLength })
  return (
    <>
      <PasswordField label={label} name="password" autoComplete="new-password" hint={rule} required />
      <PasswordField label={texts.confirmPassword()} name="confirm" autoComplete="new-password" required />
    </>
  )
}
