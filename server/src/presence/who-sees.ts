/**
 * SQL: the ids of everybody who sees the deeb mode of `person`, which is everybody whom `person` sees. `person` is an SQL expression
 * for a user id.
 */
export function whoSees(person: string): string {
  return `select receiver_id as user_id from team_connections where requester_id = ${person} and status = 'accepted'
    union all select requester_id from team_connections where receiver_id = ${person} and status = 'accepted'`
}
