/**
 * SQL: the costs of all stored hashes, such as `{"m=19456,t=2,p=1"}`. A hash keeps the cost that it was made with until its
 * owner signs in, so there are several after the operator changed AUTH_ARGON2.
 */
export const COSTS_IN_USE = `array(
  ${costsIn('auth.users', 'encrypted_password')} union ${costsIn('auth.pending_signups', 'password_hash')})`

/** SQL: the distinct costs of a column, by one index lookup each: there are few costs and many hashes. */
function costsIn(table: string, column: string): string {
  const cost = `split_part(${column}, '$', 4)`
  const next = (condition: string) =>
    `(select ${cost} as cost from ${table} where ${column} like '$argon2id$%' ${condition} order by 1 limit 1)`
  return `(with recursive costs as (
    ${next('')} union all
    select ${next(`and ${cost} > costs.cost`)} from costs where costs.cost is not null
  ) select cost from costs where cost is not null)`
}
