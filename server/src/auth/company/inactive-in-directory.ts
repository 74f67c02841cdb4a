/**
 * SQL: the directory of the company of an email address says that the person is inactive. Both are SQL expressions: the address and
 * its domain. A user name counts as an address too: an entry may have a private address as well.
 */
export function isInactiveInDirectory(email: string, domain: string): string {
  return `exists (
    select from auth.scim_users join auth.sso_domains on sso_domains.provider_id = scim_users.provider_id
    where sso_domains.domain = ${domain} and ${email} in (scim_users.email, scim_users.user_name_key) having bool_and(not active))`
}
