import * as texts from '@deeb/texts/signIn'
import { isVerified, useAuthSession } from '../session/auth-session.ts'
import { PasswordField } from './PasswordField.tsx'

interface CurrentPasswordFieldProps {
  label?: string
  name?: string
  /** The address of the account, if it is not that of the signed-in user. */
  username?: string
  error: string | undefined
}

/** The password that the account has, required for every change of it. */
export function CurrentPasswordField(props: CurrentPasswordFieldProps) {
  const { label = texts.password(), name = 'password', username, error } = props
  const own = useOwnAddress()
  return (
    <PasswordField
      label={label}
      name={name}
      username={username ?? own}
      autoComplete="current-password"
      required
      error={error}
    />
  )
}

/** The address with which the user is signed in. */
export function useOwnAddress(): string {
  const session = useAuthSession()
  return isVerified(session) ? (session.user.email ?? '') : ''
}
