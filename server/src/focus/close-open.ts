import { type Db, statement } from '../db/db.ts'
import { CAP, CLOSED_COLUMNS, SETTLE_CLOSED } from './close-session-sql.ts'

const close = statement(
  'focus.close-open',
  `with closed as (
    update deeb_sessions
    set end_time = greatest(start_time, least(:now, start_time + ${CAP})), capped = :now > start_time + ${CAP}
    where user_id = :userId and is_active
    returning ${CLOSED_COLUMNS}
  ), ${SETTLE_CLOSED}
  select id from closed`,
)

/** Ends the open focus session of a user, for an account that is switched off. Returns whether there was one. */
export async function closeOpenSession(db: Db, userId: string, now: Date): Promise<boolean> {
  return (await db.query(close, { userId, now })).length > 0
}
