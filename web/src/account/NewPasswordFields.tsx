import * as texts from '@deeb/texts/signIn'
import { useAuthSettings } from './auth-queries.ts'
import { PasswordField } from './PasswordField.tsx'

interface NewPasswordProps {
  label: string
  /** The address of the account. Null where another field of the form has it. */
  username: string | null
  /** The fault of the password, from the server. */
  error?: string | undefined
}

/** The fields `password` and `confirm` of a form that sets a password. */
export function NewPasswordFields(field: NewPasswordProps) {
  return (
    <>
      <NewPasswordField {...field} />
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

/** The field `password`. Says the rule before the first try. */
export function NewPasswordField(field: NewPasswordProps) {
  return <PasswordField {...field} name="password" autoComplete="new-password" hint={useRule()} required />
}

/** A space until the server has answered: the line is there already, so that nothing moves. */
function useRule(): string {
  const settings = useAuthSettings()
  if (!settings) return '\u00a0'
  const { password_min_length: min } = settings
  return min === undefined ? texts.passwordRule() : texts.passwordRuleWithLength({ min })
}
