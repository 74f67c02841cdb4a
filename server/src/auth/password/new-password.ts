import { AuthError, type WeakPasswordReason } from '../http/auth-error.ts'
import { type Weakness, weaknessOf } from './weakness.ts'

const MAX_CHARACTERS = 128
/** In UTF-16 units, before normalization. Checked first, because NFKC of thousands of combining marks is slow. */
const MAX_TYPED_LENGTH = 1024

/** The rules for new passwords on this server. */
export interface PasswordPolicy {
  minLength: number
  /** In lower case. */
  commonPasswords: ReadonlySet<string>
}

/** The message for each weakness, and its reasons for auth-js. */
const WEAK: Record<Weakness, { message: string; reasons: WeakPasswordReason[] }> = {
  common: {
    message: 'This password is too common. Choose one that is harder to guess.',
    reasons: ['pwned'],
  },
  'few-characters': {
    message: 'This password has only one or two different characters. Use more different characters.',
    reasons: ['characters'],
  },
  repeated: {
    message: 'This password repeats a pattern. Choose one that is harder to guess.',
    reasons: ['characters'],
  },
  names: {
    message: 'This password is mostly our name or your email address. Choose one that is harder to guess.',
    reasons: ['characters'],
  },
  sequence: {
    message: 'This password contains a keyboard or alphabet sequence. Choose one that is harder to guess.',
    reasons: ['characters'],
  },
}

/**
 * Normalizes a typed password (NFKC), because keyboards encode the same letter differently. Null if it is longer than any
 * password can be.
 */
export function normalPassword(typed: string): string | null {
  if (typed.length > MAX_TYPED_LENGTH) return null
  const password = typed.normalize('NFKC')
  return [...password].length > MAX_CHARACTERS ? null : password
}

/**
 * Validates a new password for the account of `email` and returns it normalized, never trimmed or truncated. Throws
 * `validation_failed` and `weak_password`, each with a message for the user.
 */
export function newPassword(typed: string, email: string, policy: PasswordPolicy): string {
  if (typed === '') throw new AuthError('validation_failed', { message: 'Enter a password.' })
  const password = normalPassword(typed)
  if (password === null) {
    throw new AuthError('validation_failed', { message: `Use at most ${MAX_CHARACTERS} characters for the password.` })
  }
  if ([...password].length < policy.minLength) {
    throw new AuthError('weak_password', {
      message: `Use at least ${policy.minLength} characters for the password.`,
      reasons: ['length'],
    })
  }
  const weakness = weaknessOf(password, email, policy.commonPasswords)
  if (weakness) throw new AuthError('weak_password', WEAK[weakness])
  return password
}
