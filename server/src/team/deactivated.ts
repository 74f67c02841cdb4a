/** SQL: the ids of the users of a company whom its directory has deactivated. `companyDomain` is an SQL expression. */
export function deactivatedOf(companyDomain: string): string {
  return `select id from auth.users where deactivated_at is not null and email_domain = ${companyDomain}`
}
