import { type Db, statement } from '../db/db.ts'
import { SESSION_TIMES } from '../focus/focus-state.ts'

/** A focus session that has ended, as calendars and downloads show it. */
export interface EndedSession {
  id: string
  startedAt: Date
  endedAt: Date
  /** The time zone of its start. */
  timeZone: string
  /** Whether the server ended it after 16 hours, and the user has not corrected it. */
  isCapped: boolean
  /** How often it was changed, deleted or restored after its end. */
  corrections: number
  interruptions: number
}

const COLUMNS = `${SESSION_TIMES}, time_zone as "timeZone", capped as "isCapped", corrections, interruptions`

/** SQL: the ended sessions of `userId` that started at `:since` or later; of more than `:max` only the newest. */
function newest(userId: string): string {
  return `(
    select ${COLUMNS} from deeb_sessions
    where user_id = ${userId} and start_time >= :since and end_time is not null and discarded_at is null
    order by start_time desc, id desc limit :max
  ) as newest`
}

const since = statement('focus.ended-since', `select * from ${newest(':userId')} order by "startedAt", id`)

/**
 * SQL: a hash of the sessions that `endedSince` returns for `userId`, `:since` and `:max`. `corrections` grows with each change of an
 * ended session.
 */
export function ENDED_HASH(userId: string): string {
  return `(select coalesce(sum(hashtextextended(id::text || corrections, 0)), 0)::text from ${newest(userId)})`
}

/** The ended focus sessions of a user that started at `since` or later, oldest first; of more than `max` only the newest. */
export function endedSince(db: Db, userId: string, since_: Date, max: number): Promise<EndedSession[]> {
  return db.query<EndedSession>(since, { userId, since: since_, max })
}

/** Limits the memory of a download, and how long one statement blocks the embedded database. */
const SESSIONS_PER_CHUNK = 500

/* Keyset pagination by the index of the history. */
const next = statement(
  'focus.next-ended',
  `select ${COLUMNS} from deeb_sessions
  where user_id = :userId and (start_time, id) > (:startedAt::timestamptz, :id::uuid)
    and end_time is not null and discarded_at is null
  order by start_time, id limit ${SESSIONS_PER_CHUNK}`,
)

/** All ended focus sessions of a user, oldest first, in chunks. */
export async function* allEnded(db: Db, userId: string): AsyncGenerator<EndedSession[]> {
  let last = { startedAt: new Date(0), id: '00000000-0000-0000-0000-000000000000' }
  for (;;) {
    const chunk = await db.query<EndedSession>(next, { userId, startedAt: last.startedAt, id: last.id })
    if (chunk.length > 0) yield chunk
    const newest = chunk.at(-1)
    if (!newest || chunk.length < SESSIONS_PER_CHUNK) return
    last = newest
  }
}
