import { nextOccurrence, type QuietTime } from '@deeb/core/circles/quiet-times'
import { type Db, statement } from '../db/db.ts'
import { pushInsert } from '../push/queue-push.ts'
import { IS_NOT_SKIPPED } from './quiet-times.ts'

/** In one transaction. More wait for the next one. */
const BATCH = 200

/* The row locks decide between several servers. */
const claim = statement(
  'circles.claim-quiet-times',
  `select id, days, from_minute as "from", to_minute as "to", time_zone as "timeZone", starts_at as "startsAt", ends_at as "endsAt"
  from quiet_times where (starts_at <= :now and not has_begun) or ends_at <= :now
  order by starts_at limit ${BATCH} for update skip locked`,
)

const notify = statement(
  'circles.notify-of-quiet-time',
  `with begun as (
    update quiet_times set has_begun = true where id = :id returning id, circle_id, starts_at, ends_at
  ), wished as (
    select user_id, begun.id, ends_at from begun join quiet_members using (circle_id) where notifies and ${IS_NOT_SKIPPED}
  )
  ${pushInsert({ kind: "'quiet'", about: 'wished.id', worth: '(ends_at - :now::timestamptz)', from: 'wished' })}`,
)

const moveOn = statement(
  'circles.move-quiet-time-on',
  'update quiet_times set starts_at = :startsAt, ends_at = :endsAt, has_begun = false where id = :id',
)

/* Nothing stays of a week that somebody has left out. */
const forgetSkips = statement(
  'circles.forget-skips',
  'update quiet_members set skips_until = null where skips_until <= :now',
)

interface ClaimedRow extends QuietTime {
  id: string
  timeZone: string
  startsAt: Date
  endsAt: Date
}

/**
 * Queues push messages of the quiet times that have begun, and moves those that are over on to their next occurrence. Call it every 15
 * seconds. One that begins while no server runs begins late, or not at all if it is over.
 */
export async function beginQuietTimes(db: Db, now: Date): Promise<void> {
  while ((await beginSome(db, now)) === BATCH);
}

function beginSome(db: Db, now: Date): Promise<number> {
  return db.transaction(async (db) => {
    const claimed = await db.query<ClaimedRow>(claim, { now })
    for (const { id, timeZone, endsAt, ...time } of claimed) {
      if (endsAt > now) await db.query(notify, { id, now })
      else await db.query(moveOn, { id, ...nextOccurrence(time, timeZone, now) })
    }
    await db.query(forgetSkips, { now })
    return claimed.length
  })
}
