import { parseEmail } from '@deeb/core/account/email'
import { AuthError } from '../http/auth-error.ts'

/** The address in the form in which it is saved. Throws `validation_failed` for what is not one. */
export function requireEmail(typed: string): string {
  const email = parseEmail(typed)
  if (email === null) throw new AuthError('validation_failed', { message: 'Please enter a valid email address.' })
  return email
}
