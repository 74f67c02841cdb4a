import { AuthError, type WeakPasswordReason } from '../http/auth-error.ts'
import { type Weakness, weaknessOf } from './weakness.ts'

const MAX_CHARACTERS = 128
/** Of what is typed, in UTF-16 units. Checked first: NFKC of thousands of combining marks takes long. */
const MAX_TYPED_LENGTH = 1024

/** What a new password is measured by on this server. */
export interface PasswordPolicy {
  fewestCharacters: number
  /** In small letters. */
  commonPasswords: ReadonlySet<string>
}

/** What the person reads, and what auth-js calls it. */
const WEAK: Record<Weakness, { message: string; reasons: WeakPasswordReason[] }> = {
  common: {
    message: 'This password is too common: others would try it first. Choose another one.',
    reasons: ['pwned'],
  },
  'few-characters': {
    message: 'This password has only one or two different characters. Use more of them.',
    reasons: ['characters'],
  },
  repeated: {
    message: 'This password repeats a pattern. Choose one that is harder to guess.',
    reasons: ['characters'],
  },
  names: {
    message: 'This password is little more than our name or your own address. Add what nobody can guess.',
    reasons: ['characters'],
  },
  row: {
    message: 'This password contains a keyboard or alphabet sequence. Choose one that is harder to guess.',
    reasons: ['characters'],
  },
}

/**
 * The one form in which passwords are compared, since keyboards differ in how they write the same letter. Null if it is
 * longer than the password of any account.
 */
export function normalPassword(typed: string): string | null {
  if (typed.length > MAX_TYPED_LENGTH) return null
  const password = typed.normalize('NFKC')
  return [...password].length > MAX_CHARACTERS ? null : password
}

/**
 * A password that the owner of `email` wants to have, in its normal form. Throws `validation_failed` and
 * `weak_password`, each with a sentence that says what is wrong. Nothing is trimmed or cut.
 */
export function newPassword(typed: string, email: string, policy: PasswordPolicy): string {
  if (typed === '') throw new AuthError('validation_failed', { message: 'A password is needed.' })
  const password = normalPassword(typed)
  if (password === null) {
    throw new AuthError('validation_failed', { message: `A password has at most ${MAX_CHARACTERS} characters.` })
  }
  if ([...password].length < policy.fewestCharacters) {
    throw new AuthError('weak_password', {
      message: `Use at least ${policy.fewestCharacters} characters for the password.`,
      reasons: ['length'],
    })
  }
  const weakness = weaknessOf(password, email, policy.commonPasswords)
  if (weakness) throw new AuthError('weak_password', WEAK[weakness])
  return password
}
