import { type Db, statement } from '../db/db.ts'
import { CAP, CLOSED_COLUMNS, SETTLE_CLOSED } from './close-sql.ts'

const closeForgotten = statement(
  'focus.close-forgotten',
  `with due as (
    select user_id as owner, id as due_id from deeb_sessions
    where end_time is null and start_time <= $1::timestamptz - ${CAP}
    -- Another server may be at it too: neither waits for the other.
    order by user_id for update skip locked
  ), closed as (
    update deeb_sessions set end_time = start_time + ${CAP}, capped = true
    from due where user_id = owner and id = due_id
    returning ${CLOSED_COLUMNS}
  ), ${SETTLE_CLOSED}
  select user_id as "userId" from closed`,
)

/** Ends every session that has been open for 16 hours, at the 16 hours, and gives whose they were. */
export async function closeForgottenSessions(db: Db, now: Date): Promise<string[]> {
  const closed = await db.query<{ userId: string }>(closeForgotten, [now])
  return closed.map(({ userId }) => userId)
}
