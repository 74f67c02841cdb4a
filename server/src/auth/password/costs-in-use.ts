/**
 * SQL: the distinct costs of all stored hashes, such as `{"m=19456,t=2,p=1"}`. A hash keeps its cost until its owner signs in, so
 * there are several after the administrator changed AUTH_ARGON2.
 */
export const COSTS_IN_USE = `array(
  ${costsIn('auth.users', 'encrypted_password')} union ${costsIn('auth.pending_signups', 'password_hash')})`

/** SQL: the distinct costs of a column, with one index lookup per cost (a loose index scan). */
function costsIn(table: string, column: string): string {
  const cost = `split_part(${column}, '$', 4)`
  const next = (condition: string) =>
    `(select ${cost} as cost from ${table} where ${column} like '$argon2id$%' ${condition} order by 1 limit 1)`
  return `(with recursive costs as (
    ${next('')} union all
    select ${next(`and ${cost} > costs.cost`)} from costs where costs.cost is not null
  ) select cost from costs where cost is not null)`
}
