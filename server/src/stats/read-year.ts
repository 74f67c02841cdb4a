import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { dateAfter, localDateOf, startOfLocalDay } from '@deeb/core/focus/split-by-day'
import { firstDateOfYear, secondsByHour } from '@deeb/core/stats/year'
import type { readYear as endpoint } from '@deeb/core/stats/year-api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { timeZoneOf } from '../profile/time-zone-of.ts'
import { GOAL_JOINS, GOAL_MINUTES } from './goal-of-day.ts'

/** More than ten a day. Only the newest are read, so that no history makes the read slow. */
const MAX_SESSIONS = 4000

/* Days are totals, which stay. Hours come from sessions, which a company may keep for some months only. */
const read = statement(
  'stats.read-year',
  `select
    (select coalesce(json_agg(json_build_object('date', stats.date, 'minutes', total_minutes, 'goalMinutes', ${GOAL_MINUTES})
        order by stats.date), '[]')
      from daily_stats as stats
      join unnest(:dates::text[], :daysOfWeek::int[], :ends::timestamptz[]) as day (date, day_of_week, ends_at)
        on day.date = stats.date
      ${GOAL_JOINS}
      where stats.user_id = :userId and total_minutes > 0) as days,
    (select coalesce(json_agg(json_build_array(extract(epoch from start_time)::float8, extract(epoch from end_time)::float8,
        time_zone, start_date)), '[]')
      from (
        select start_time, end_time, time_zone, start_date from deeb_sessions
        where user_id = :userId and start_time >= :since and end_time is not null and discarded_at is null
        order by start_time desc limit ${MAX_SESSIONS}) as newest) as sessions`,
)

interface YearRow {
  days: { date: string; minutes: number; goalMinutes: number }[]
  sessions: [startSeconds: number, endSeconds: number, timeZone: string, startDate: string][]
}

/** The days and the hours of the last twelve months until today in `timeZone`. Refuses with `invalid_time_zone`. */
export async function readYear(
  db: Db,
  actor: Actor,
  device: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const timeZone = await timeZoneOf(db, actor, device, now)
  const to = localDateOf(now, timeZone)
  const from = firstDateOfYear(to)
  const dates: string[] = []
  for (let date = from; date <= to; date = dateAfter(date)) dates.push(date)
  const [row] = await db.query<YearRow>(read, {
    userId: actor.userId,
    dates,
    daysOfWeek: dates.map((date) => new Date(date).getUTCDay()),
    ends: dates.map((date) => startOfLocalDay(dateAfter(date), timeZone)),
    since: startOfLocalDay(from, timeZone),
    now,
  })
  const { days = [], sessions = [] } = row ?? {}
  const firstDates = sessions.map(([, , , startDate]) => startDate).sort()
  const hourSeconds = secondsByHour(
    sessions.map(([start, end, timeZone]) => ({
      startedAt: new Date(start * 1000),
      endedAt: new Date(end * 1000),
      timeZone,
    })),
  )
  return { from, to, days, hourSeconds, hoursFrom: firstDates[0] ?? null }
}
