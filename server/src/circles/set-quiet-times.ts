import type { setQuietTimes as endpoint } from '@deeb/core/circles/quiet-api'
import {
  areSame,
  firstFault,
  MAX_QUIET_MINUTES,
  MIN_QUIET_MINUTES,
  nextOccurrence,
} from '@deeb/core/circles/quiet-times'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { isTimeZone } from '@deeb/core/focus/split-by-day'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { readAgreed } from '../quiet/quiet-times.ts'
import { type Changed, keeperOf, withCircleLock } from './circle.ts'

const NOT_POSSIBLE = `A quiet time names each day once, takes ${MIN_QUIET_MINUTES} to ${MAX_QUIET_MINUTES} minutes of a day, and has none of them in common with another one.`

const isKeeper = statement(
  'circles.is-keeper',
  `select from circles where id = :circleId and :userId = ${keeperOf('circles.id')}`,
)

const forget = statement('circles.forget-quiet-times', 'delete from quiet_times where circle_id = :circleId')

/* Nobody is notified of one that is under way while it is agreed. */
const insert = statement(
  'circles.insert-quiet-time',
  `insert into quiet_times (id, circle_id, days, from_minute, to_minute, time_zone, starts_at, ends_at, has_begun)
  values (gen_random_uuid(), :circleId, :days::smallint[], :from, :to, :timeZone, :startsAt, :endsAt, :startsAt <= :now::timestamptz)`,
)

/* They agreed to be switched on and notified at the earlier times only. */
const askAgain = statement(
  'circles.ask-again',
  'update quiet_members set switches_on = false, notifies = false where circle_id = :circleId and (switches_on or notifies)',
)

/**
 * Replaces the quiet times of a circle that the actor keeps. The same ones change nothing. Throws `invalid_time_zone`, `invalid_input`,
 * and `not_found` for any other circle.
 */
export async function setQuietTimes(
  db: Db,
  { userId }: Actor,
  { circleId, timeZone, times }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint> & Changed> {
  if (!isTimeZone(timeZone)) throw new Refusal('invalid_time_zone')
  const fault = firstFault(times)
  if (fault >= 0) throw new Refusal('invalid_input', [{ path: `times.${fault}`, message: NOT_POSSIBLE }])
  return withCircleLock(db, circleId, async (db, members) => {
    if ((await db.query(isKeeper, { circleId, userId })).length === 0) throw new Refusal('not_found')
    const before = (await readAgreed(db, circleId)) ?? { timeZone, times: [] }
    if (areSame(before, { timeZone, times })) return { times, members: [] }
    await db.query(forget, { circleId })
    for (const time of times)
      await db.query(insert, { ...time, timeZone, circleId, ...nextOccurrence(time, timeZone, now), now })
    await db.query(askAgain, { circleId })
    return { times, members }
  })
}
