import { type Db, statement } from '../db/db.ts'
import { CAP, CLOSED_COLUMNS, SETTLE_CLOSED } from './close-session-sql.ts'

/** So many in one transaction: thousands may be due after a server was away, and a statement has its time. */
const SESSIONS_AT_ONCE = 500

const closeForgotten = statement(
  'focus.close-forgotten',
  `with due as (
    select user_id as owner, id as due_id from deeb_sessions
    where end_time is null and start_time <= :now::timestamptz - ${CAP}
    -- Another server may be at it too: neither waits for the other.
    order by user_id limit ${SESSIONS_AT_ONCE} for update skip locked
  ), closed as (
    update deeb_sessions set end_time = start_time + ${CAP}, capped = true
    from due where user_id = owner and id = due_id
    returning ${CLOSED_COLUMNS}
  ), ${SETTLE_CLOSED}
  select user_id as "userId" from closed`,
)

/** Ends every session that has been open for 16 hours, at the 16 hours. Calls `onClosed` with each owner after the commit. */
export async function closeForgottenSessions(db: Db, now: Date, onClosed: (userId: string) => void = () => {}) {
  let closed: { userId: string }[]
  do {
    closed = await db.query<{ userId: string }>(closeForgotten, { now })
    for (const { userId } of closed) onClosed(userId)
  } while (closed.length === SESSIONS_AT_ONCE)
}
