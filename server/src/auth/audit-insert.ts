/** All are SQL expressions. */
interface AuditInsert {
  action: string
  userId: string
  /** Where the request came from: `:ip`, or null for what an administrator does. */
  ip?: string
  /** A jsonb object; empty by default. */
  detail?: string
  /** One event for each of its rows; one event by default. */
  from?: string
}

/** SQL: the insert that writes an event at `:now` to the audit log. */
export function auditInsert({ action, userId, ip = ':ip', detail = "'{}'", from }: AuditInsert): string {
  return `insert into auth.audit_log (at, action, user_id, ip, detail)
    select :now, ${action}, ${userId}, ${ip}, ${detail} ${from ? `from ${from}` : ''}`
}
