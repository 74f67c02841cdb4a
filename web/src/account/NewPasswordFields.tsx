import * as texts from '@deeb/texts/signIn'
import { useAuthSettings } from './auth-queries.ts'
import { PasswordField } from './PasswordField.tsx'

interface NewPasswordFieldsProps {
  label: string
  /** The address of the account. Null where another field of the form has it. */
  username: string | null
}

/** The fields `password` and `confirm` of a form that sets a password. Says the rule before the first try. */
export function NewPasswordFields({ label, username }: NewPasswordFieldsProps) {
  const minLength = useAuthSettings()?.password_min_length
  // Without the number the line is there already: the fields below must not move when it arrives.
  const rule = minLength === undefined ? texts.passwordRule() : texts.passwordRuleWithLength({ min: minLength })
  return (
    <>
      <PasswordField
        label={label}
        name="password"
        username={username}
        autoComplete="new-password"
        hint={rule}
        required
      />
      <PasswordField
        label={texts.confirmPassword()}
        name="confirm"
        username={null}
        autoComplete="new-password"
        required
      />
    </>
  )
}
