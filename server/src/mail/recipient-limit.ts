const MOST_TO_ONE = 3
const MOST_TO_ALL = 500

/**
 * SQL: one more mail may go to `recipient`, as each gets at most three an hour and the server writes at most 500, whoever
 * asks. Both are parameters, such as `$2`. For one recipient exact only under the lock of the address, since it counts.
 * For what any stranger can cause; word of a change to an account goes out past this.
 */
export function mayMail(recipient: string, now: string): string {
  const lastHour = `created_at > ${now}::timestamptz - interval '1 hour'`
  return `((select count(*) from auth.outbox where recipient = ${recipient} and ${lastHour}) < ${MOST_TO_ONE}
    and (select count(*) from (select from auth.outbox where ${lastHour} limit ${MOST_TO_ALL}) as hour) < ${MOST_TO_ALL})`
}
