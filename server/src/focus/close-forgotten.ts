import { type Db, statement } from '../db/db.ts'
import { CAP, CLOSED_COLUMNS, SETTLE_CLOSED } from './close-session-sql.ts'

/** Sessions per transaction. Thousands may be due after downtime, and each statement has a timeout. */
const BATCH_SIZE = 500

const closeForgotten = statement(
  'focus.close-forgotten',
  `with due as (
    select user_id as owner, id as due_id from deeb_sessions
    where end_time is null and start_time <= :now::timestamptz - ${CAP}
    -- Another process may close sessions concurrently: skip the rows that it has locked.
    order by user_id limit ${BATCH_SIZE} for update skip locked
  ), closed as (
    update deeb_sessions set end_time = start_time + ${CAP}, capped = true
    from due where user_id = owner and id = due_id
    returning ${CLOSED_COLUMNS}
  ), ${SETTLE_CLOSED}
  select user_id as "userId" from closed`,
)

/**
 * Ends every focus session that has been open for 16 hours; its end is 16 hours after its start. Works in batches and calls
 * `onClosed` with each owner after the commit.
 */
export async function closeForgottenSessions(db: Db, now: Date, onClosed: (userId: string) => void = () => {}) {
  let closed: { userId: string }[]
  do {
    closed = await db.query<{ userId: string }>(closeForgotten, { now })
    for (const { userId } of closed) onClosed(userId)
  } while (closed.length === BATCH_SIZE)
}
