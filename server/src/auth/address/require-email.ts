import { parseEmail } from '@deeb/core/account/email'
import { AuthError } from '../http/auth-error.ts'

/** Normalizes an email address as it is stored. Throws `validation_failed` for any other text. */
export function requireEmail(typed: string): string {
  const email = parseEmail(typed)
  if (email === null) throw new AuthError('validation_failed', { message: 'Please enter a valid email address.' })
  return email
}
