import { isTimeZone, localTimeOf } from '@deeb/core/focus/split-by-day'
import { type Db, lookup } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

/** The zones of how many of the last sessions are tried. */
const TRIED = 50

const lastZones = lookup(
  'focus.last-zones',
  `select time_zone as "timeZone" from deeb_sessions where user_id = :userId order by start_time desc limit ${TRIED}`,
)

/**
 * The time zone of a device, by a name that this server knows. Another name counts by the UTC offset at `at`: the last zone of the
 * person with that offset then, else the offset itself. Refuses with `invalid_time_zone` without an offset.
 */
export async function timeZoneOf(
  db: Db,
  { userId }: Pick<Actor, 'userId'>,
  { timeZone, utcOffset }: { timeZone: string; utcOffset?: string | undefined },
  at: Date,
): Promise<string> {
  if (isTimeZone(timeZone)) return timeZone
  if (utcOffset === undefined) throw new Refusal('invalid_time_zone')
  const last = await db.query<{ timeZone: string }>(lastZones, { userId })
  const fits = (zone: string) => isTimeZone(zone) && localTimeOf(at, zone).endsWith(utcOffset)
  return last.find(({ timeZone }) => fits(timeZone))?.timeZone ?? utcOffset
}
