import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { dateAfter, mondayAt } from '@deeb/core/focus/split-by-day'
import type { readUndisturbed as endpoint } from '@deeb/core/stats/undisturbed-api'
import { isWeek, mondayAfter, WEEKS_IN_LINE } from '@deeb/core/stats/weeks'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { timeZoneOf } from '../profile/time-zone-of.ts'

/**
 * SQL: the ended sessions of a minute or more that began on a local date from one to another. Their start in UTC, which has an index,
 * is at most a day away from it.
 */
function sessionsBetween(from: string, to: string): string {
  return `(select start_date as date, end_time - start_time as length, interruptions from deeb_sessions
    where user_id = :userId and discarded_at is null and end_time >= start_time + interval '1 minute'
      and start_time between ${from}::text::timestamptz - interval '1 day' and ${to}::text::timestamptz + interval '2 days'
      and start_date between ${from}::text and ${to}::text) as kept`
}

const read = statement(
  'stats.read-undisturbed',
  `with counting as materialized (
    select min(start_date) as since from deeb_sessions where user_id = :userId and interruptions > 0
  )
  select (select since from counting) is not null as "isCounting",
    count(*)::int as sessions, (count(*) filter (where interruptions = 0))::int as "withoutInterruption",
    (select json_agg((
        select floor(avg(extract(epoch from longest)) / 60) from (
          select coalesce(max(length) filter (where interruptions = 0), interval '0') as longest
          from ${sessionsBetween(':firstMonday', ':lastSunday')}
          where date between monday and sunday and sunday >= (select since from counting) group by date
        ) as days) order by monday)
      from unnest(:mondays::text[], :sundays::text[]) as week (monday, sunday)) as "stretchMinutes"
  from ${sessionsBetween(':monday', ':sunday')}`,
)

interface UndisturbedRow {
  isCounting: boolean
  sessions: number
  withoutInterruption: number
  stretchMinutes: (number | null)[]
}

/**
 * How undisturbed the user was. The weeks before the first one with an interruption were not counted. Nothing is known of when an
 * interruption was, so an interrupted session has no undisturbed part.
 */
export async function readUndisturbed(
  db: Db,
  actor: Actor,
  { week, ...device }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const timeZone = await timeZoneOf(db, actor, device, now)
  const thisWeek = mondayAt(now, timeZone)
  const monday = week ?? thisWeek
  if (!isWeek(monday)) throw new Refusal('invalid_input', [{ path: 'week', message: 'Name a week by its Monday.' }])
  const mondays = Array.from({ length: WEEKS_IN_LINE }, (_, n) => mondayAfter(thisWeek, n + 1 - WEEKS_IN_LINE))
  const sundays = mondays.map((monday) => dateAfter(monday, 6))
  const [row] = await db.query<UndisturbedRow>(read, {
    ...{ userId: actor.userId, monday, sunday: dateAfter(monday, 6), mondays, sundays },
    ...{ firstMonday: mondays[0], lastSunday: sundays.at(-1) },
  })
  if (!row?.isCounting) return { undisturbed: null }
  const { sessions, withoutInterruption, stretchMinutes } = row
  return { undisturbed: { sessions, withoutInterruption, stretchMinutes } }
}
