import { dateAfter } from '@deeb/core/focus/split-by-day'
import { MAX_MINUTES, WHOLE } from '@deeb/core/report/figures'
import { type Db, statement } from '../db/db.ts'
import { inBatches } from '../db/in-batches.ts'
import { isDeactivated } from '../presence/who-sees.ts'

/** A batch of the embedded database takes 20 to 40 ms, which is how long a switch may have to wait. */
const PEOPLE_PER_BATCH = 100

const HOUR = 3600
/** The local hours at which a bar ends and the next one begins. */
const TIMES = [8, 10, 12, 14, 16, 18]
/** The first and the last bar have no bound: where clocks change, a second of the day may be below 0. */
const BARS = [-Infinity, ...TIMES, Infinity].slice(0, -1).map((from, n) => ({ from, to: TIMES[n] ?? Infinity }))

/** SQL: the seconds of all parts of sessions within a bar. */
function secondsWithin({ from, to }: { from: number; to: number }): string {
  const begins = from === -Infinity ? 'begins' : `greatest(begins, ${from * HOUR})`
  const ends = to === Infinity ? 'ends' : `least(ends, ${to * HOUR})`
  return `coalesce(sum(greatest(0, ${ends} - ${begins})), 0)::int`
}

/** SQL: the seconds from one instant to another. */
const seconds = (from: string, to: string) => `extract(epoch from ${to} - ${from})::int`

/** SQL: the seconds of the days for which `condition` holds. */
const secondsOn = (condition: string) => `coalesce(sum(total_seconds) filter (where ${condition}), 0)::int`

/*
 * `counted` are people who are in the report and have at least one minute. A session is cut at its midnight into two parts, in seconds
 * of their local dates. These follow from the midnight that it stores: no time zone is looked up, so an unknown one cannot fail a week.
 */
const readPeople = statement(
  'report.people',
  `with people as materialized (
    select id, in_report and coalesce(counted_from <= :monday, true) as in_report from profiles
    where company_domain = :domain and id > :after and not ${isDeactivated('profiles.id')} order by id limit :limit
  ), counted as materialized (
    select id, total_minutes from people join weekly_stats on user_id = id and week_start = :monday
    where in_report and total_minutes > 0
  )
  select people.id, counted.total_minutes as minutes, goal.minutes as "goalMinutes", times.seconds as times, days.seconds as days
  from people left join counted using (id)
  left join lateral (
    select coalesce(sum(goal_minutes), 0)::int as minutes from daily_goals where user_id = counted.id
  ) as goal on true
  left join lateral (
    select array[${BARS.map(secondsWithin).join(', ')}] as seconds
    from deeb_sessions cross join lateral (values
      (start_date, 24 * ${HOUR} - ${seconds('start_time', 'next_date_starts_at')},
        24 * ${HOUR} - greatest(0, ${seconds('end_time', 'next_date_starts_at')})),
      (next_date, 0, ${seconds('next_date_starts_at', 'end_time')})) as part (date, begins, ends)
    where user_id = counted.id and start_time >= :from::timestamptz and start_time < :to::timestamptz and end_time > start_time
      and date between :monday and :friday and ends > begins
  ) as times on true
  left join lateral (
    select array[${[1, 2, 3, 4, 5].map((n) => secondsOn(`date = (:workdays::text[])[${n}]`)).join(', ')}, ${secondsOn('date > :friday')}] as seconds
    from daily_stats where user_id = counted.id and date between :monday and :sunday
  ) as days on true
  order by people.id`,
)

interface PersonRow {
  id: string
  /** Null for somebody who is not counted, or has no minute in the week. */
  minutes: number | null
  goalMinutes: number
  /** Seconds per bar. */
  times: number[]
  days: number[]
}

/** The true sums of a week. They are in the memory of `countWeek` only: never stored, logged or measured. */
export interface Sums {
  members: number
  people: number
  minutes: number
  goals: number
  times: number[]
  days: number[]
}

/** Sums up the week of a company. Throws when `signal` is aborted. */
export async function sumUp(db: Db, domain: string, monday: string, signal?: AbortSignal): Promise<Sums> {
  const sums: Sums = { members: 0, people: 0, minutes: 0, goals: 0, times: Array(7).fill(0), days: Array(6).fill(0) }
  const people = inBatches<PersonRow>(db, readPeople, {
    ...{ domain, monday, friday: dateAfter(monday, 4), sunday: dateAfter(monday, 6) },
    workdays: [0, 1, 2, 3, 4].map((n) => dateAfter(monday, n)),
    // In any time zone, and with the 16 hours of a session.
    ...{ from: new Date(dateAfter(monday, -2)), to: new Date(dateAfter(monday, 8)) },
    limit: PEOPLE_PER_BATCH,
  })
  for await (const batch of people) {
    signal?.throwIfAborted()
    for (const person of batch) add(sums, person)
  }
  return sums
}

/** Adds a person, within bounds, whatever the row has: the noise hides as much as that. */
function add(sums: Sums, { minutes, goalMinutes, times, days }: PersonRow): void {
  sums.members += 1
  if (minutes === null) return
  sums.people += 1
  sums.minutes += Math.min(minutes, MAX_MINUTES)
  sums.goals += goalMinutes > 0 && minutes >= goalMinutes ? 1 : 0
  addShares(sums.times, times)
  addShares(sums.days, days)
}

function addShares(bars: number[], seconds: number[]): void {
  const all = seconds.reduce((sum, part) => sum + part, 0)
  if (all === 0) return
  for (const [n, part] of seconds.entries()) bars[n] = (bars[n] ?? 0) + Math.floor((WHOLE * part) / all)
}
