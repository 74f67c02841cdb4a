/**
 * SQL: the directory of the company of an email address says that the person is inactive. Both are SQL expressions: the address and
 * its domain.
 */
export function isInactiveInDirectory(email: string, domain: string): string {
  return `exists (
    select from auth.scim_users join auth.sso_domains on sso_domains.provider_id = scim_users.provider_id
    where sso_domains.domain = ${domain} and scim_users.email = ${email} having bool_and(not active))`
}
