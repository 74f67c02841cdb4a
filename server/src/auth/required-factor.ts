import { isCompanyOnly } from './company/only-by-company.ts'

/** The days until a second factor is required: after the company asked for it, and after an account was created. */
export const GRACE_DAYS = 14

/** SQL: the day (UTC) from which on the company of a row of auth.users requires a second factor; null if it does not. */
export const FACTOR_REQUIRED_FROM = `(
  select greatest(required_from, (users.created_at at time zone 'UTC')::date + ${GRACE_DAYS})
  from auth.second_factor_domains where domain = users.email_domain)`

/** SQL: the company of a row of auth.users requires a second factor at `:now`. */
export const IS_FACTOR_REQUIRED = `coalesce(${FACTOR_REQUIRED_FROM} <= (:now::timestamptz at time zone 'UTC')::date, false)`

/** SQL: a row of auth.users has a passkey that opens the account. Where only the company signs in, none does. */
export const HAS_PASSKEY = `(exists (select from auth.webauthn_credentials as passkey where passkey.user_id = users.id)
  and not ${isCompanyOnly('users.email_domain')})`

/**
 * SQL: a row of auth.sessions is `aal1`, and its user has neither a second factor nor a passkey although the company requires one. A
 * company sign-in with several factors is `aal2`.
 */
export const NEEDS_FACTOR = `(sessions.aal = 'aal1'
  and exists (select from auth.users where users.id = sessions.user_id and ${IS_FACTOR_REQUIRED} and not ${HAS_PASSKEY})
  and not exists (select from auth.mfa_factors where mfa_factors.user_id = sessions.user_id and status = 'verified'))`
