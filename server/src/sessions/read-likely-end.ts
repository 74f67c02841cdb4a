import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { readLikelyEnd as endpoint, StillOnCause } from '@deeb/core/sessions/api'
import { type Db, lookup } from '../db/db.ts'
import { IS_FORGOTTEN } from '../focus/close-session-sql.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

const WEEKS = 4
const MIN_DAYS = 5
/** A usual end is rounded to this: it is an estimate. */
const STEP_SECONDS = 5 * 60

/*
 * The usual end is the median of the ends of earlier days, each as seconds before the midnight after that day. So it is a time
 * of the user's own clock, in whatever time zone they were. A day has the sessions that began on it.
 *
 * Sessions under a minute and those that the server ended after 16 hours tell nothing.
 */
const read = lookup(
  'focus.read-likely-end',
  `select last_touch_at as "lastTouchAt", coalesce(still_on_answers, '{}') as answers,
    extract(epoch from next_date_starts_at)::float8 as "midnightSeconds", (
      select percentile_disc(0.5) within group (order by seconds) from (
        select max(extract(epoch from past.end_time - past.next_date_starts_at))::float8 as seconds
        from deeb_sessions as past
        where past.user_id = :userId and past.start_date < session.start_date and not past.capped
          and past.start_time > session.start_time - interval '${WEEKS * 7} days' and past.start_time < session.start_time
          and past.end_time >= past.start_time + interval '1 minute'
        group by past.start_date
      ) as days having count(*) >= ${MIN_DAYS}
    ) as "usualSeconds"
  from deeb_sessions as session
  where user_id = :userId and id = :sessionId and (is_active or ${IS_FORGOTTEN})`,
)

interface Row {
  lastTouchAt: Date | null
  answers: StillOnCause[]
  midnightSeconds: number
  usualSeconds: number | null
}

/** Reads the hints at when the open session of the user, or a forgotten one, probably ended. Refuses others with `session_not_found`. */
export async function readLikelyEnd(
  db: Db,
  actor: Actor,
  { sessionId }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  const [row] = await db.query<Row>(read, { userId: actor.userId, sessionId })
  if (!row) throw new Refusal('session_not_found')
  const { lastTouchAt, answers, midnightSeconds, usualSeconds } = row
  return {
    lastTouchAt: lastTouchAt?.toISOString() ?? null,
    usualEndAt: usualSeconds === null ? null : rounded(midnightSeconds + usualSeconds).toISOString(),
    answers,
  }
}

function rounded(seconds: number): Date {
  return new Date(Math.round(seconds / STEP_SECONDS) * STEP_SECONDS * 1000)
}
