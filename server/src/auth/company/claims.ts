import { parseEmail } from '@deeb/core/account/email'

/** The claims of a provider about a person, as auth.flow_state stores them. */
export interface Claims {
  /** The subject: the identity of the person within the provider. */
  sub: string
  /** As we store addresses; null if the provider gives none, or no normal one. */
  email: string | null
  isEmailVerified: boolean
  /** The Google organization of the person; null elsewhere. */
  hostedDomain: string | null
  firstName: string | null
  lastName: string | null
  /** The provider's own id of this sign-in, by which it ends it. */
  sid: string | null
  /** The time at which the person authenticated, in seconds since 1970; null if the provider does not say. */
  authTime: number | null
  /** Whether the person used a second factor at the provider. */
  hasSecondFactor: boolean
  /** Whether this server asked the provider to authenticate the person again. */
  isAgain: boolean
}

/** A subject is ASCII and at most 255 characters. PostgreSQL cannot store a zero byte. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/

/** Letters of any script, in words. No digits, dots and slashes, so that no name is a link. */
const NAME = /^\p{L}[\p{L}\p{M}'’ -]{0,49}$/u

/** Reads the claims of a verified ID token. Values of a wrong type count as absent. Throws for a subject that is not valid. */
export function claimsOf(claims: Record<string, unknown>, isAgain: boolean): Claims {
  const { sub, email, email_verified, xms_edov, hd, given_name, family_name, sid, auth_time, amr } = claims
  const subject = matching(sub, SUBJECT)
  if (subject === null) throw new Error('The provider gives an invalid subject.')
  return {
    sub: subject,
    email: typeof email === 'string' ? parseEmail(email) : null,
    isEmailVerified: isTrue(email_verified) || isTrue(xms_edov),
    hostedDomain: typeof hd === 'string' ? hd.toLowerCase() : null,
    firstName: matching(given_name, NAME),
    lastName: matching(family_name, NAME),
    sid: matching(sid, SUBJECT),
    authTime: typeof auth_time === 'number' && Number.isSafeInteger(auth_time) ? auth_time : null,
    hasSecondFactor: Array.isArray(amr) && amr.includes('mfa'),
    isAgain,
  }
}

function matching(value: unknown, pattern: RegExp): string | null {
  return typeof value === 'string' && pattern.test(value.trim()) ? value.trim() : null
}

/** Whether a claim is true. Entra, JumpCloud and Cognito spell this in several ways. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true'
}
