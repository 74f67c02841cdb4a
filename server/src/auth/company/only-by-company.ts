import type { Db } from '../../db/db.ts'
import { AuthError } from '../http/auth-error.ts'
import { providerOfDomain } from './provider-of-domain.ts'

/** SQL: accounts of an email domain, an SQL expression, sign in by their company only. */
export const isCompanyOnly = (domain: string) => `exists (
  select from auth.sso_domains join auth.sso_providers as provider on provider.id = provider_id
  where domain = ${domain} and only_sso and disabled_at is null)`

/**
 * SQL: the password hash by which the owner of a row of auth.users may prove who they are. Null without a password, and where only the
 * company signs in: a password that no longer signs in is no proof either.
 */
export const PROVING_HASH = `(case when not ${isCompanyOnly('users.email_domain')} then users.encrypted_password end)`

/**
 * Throws `user_sso_managed` if accounts of this address sign in by their company only.
 *
 * Prevents user enumeration: it depends on the domain alone. Call it before any work that depends on the account.
 */
export async function requireOpenDomain(db: Db, email: string): Promise<void> {
  if ((await providerOfDomain(db, domainOf(email)))?.onlySso) throw new AuthError('user_sso_managed')
}

/**
 * Throws `user_sso_managed` if an account must not change its address from one to the other: one of the domains signs in by its
 * company only, and they do not belong to the same company.
 */
export async function requireMayMove(db: Db, from: string, to: string): Promise<void> {
  const [before, after] = [await providerOfDomain(db, domainOf(from)), await providerOfDomain(db, domainOf(to))]
  if (before?.id !== after?.id && (before?.onlySso || after?.onlySso)) throw new AuthError('user_sso_managed')
}

function domainOf(email: string): string {
  return email.slice(email.indexOf('@') + 1)
}
