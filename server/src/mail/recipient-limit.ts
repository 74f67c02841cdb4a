/**
 * SQL: one more mail may go to `recipient`, as it gets at most three an hour, whoever asks. Both are parameters, such
 * as `$2`. Exact only under the lock of the address, since it counts.
 */
export function mayMail(recipient: string, now: string): string {
  return `(select count(*) from auth.outbox
    where recipient = ${recipient} and created_at > ${now}::timestamptz - interval '1 hour') < 3`
}
