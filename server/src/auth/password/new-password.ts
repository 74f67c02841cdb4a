import { AuthError } from '../door/auth-error.ts'

const FEWEST_CHARACTERS = 8
export const MOST_CHARACTERS = 128

/** The one form in which passwords are compared: keyboards differ in how they write the same letter. */
export function normalPassword(typed: string): string {
  return typed.normalize('NFKC')
}

/**
 * A password that somebody wants to have, in its normal form. Throws an answer that says what is wrong with it. Nothing
 * is trimmed or cut.
 */
export function newPassword(typed: string): string {
  const password = normalPassword(typed)
  const characters = [...password].length
  if (characters === 0) throw new AuthError('validation_failed', { message: 'A password is needed.' })
  if (characters > MOST_CHARACTERS) {
    throw new AuthError('validation_failed', { message: `A password has at most ${MOST_CHARACTERS} characters.` })
  }
  if (characters < FEWEST_CHARACTERS) {
    throw new AuthError('weak_password', {
      message: `Use at least ${FEWEST_CHARACTERS} characters for the password.`,
      reasons: ['length'],
    })
  }
  return password
}
