import { IS_USABLE, USER_IS_BANNED } from '../auth-session/auth-session.ts'
import { isCompanyOnly } from '../company/only-by-company.ts'
import { HAS_PASSKEY, IS_FACTOR_REQUIRED } from '../required-factor.ts'

/** SQL: the owner of a row of auth.users is signed in somewhere at `:now`, and `more` holds for that auth session. */
const isSignedIn = (more: string) =>
  `exists (select from auth.sessions where sessions.user_id = users.id and ${IS_USABLE} and ${more})`

/**
 * SQL: programs of the owner of a row of auth.users may act and read at `:now`.
 *
 * Where only the company signs in, they may only while their owner is signed in: the company ends that, and they must not outlive it.
 */
export const PROGRAMS_MAY_READ = `(not ${USER_IS_BANNED}
  and (not ${isCompanyOnly('users.email_domain')} or ${isSignedIn('true')}))`

/** SQL: a row of auth.personal_tokens may be used by its owner, a row of auth.users, at `:now`. */
export const IS_TOKEN_USABLE = `(personal_tokens.expires_at > :now::timestamptz and ${PROGRAMS_MAY_READ})`

/** SQL: the company of a row of auth.users requires a second factor, and the account has none and no auth session with one. */
export const TOKEN_NEEDS_FACTOR = `(${IS_FACTOR_REQUIRED} and not ${HAS_PASSKEY}
  and not exists (select from auth.mfa_factors where mfa_factors.user_id = users.id and status = 'verified')
  and not ${isSignedIn("aal = 'aal2'")})`
