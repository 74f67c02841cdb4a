import { splitByDay } from '@deeb/core/focus/split-by-day'
import { type Db, statement } from '../db/db.ts'

const PEOPLE_AT_ONCE = 200

const people = statement('totals.people', 'select id from profiles where id > $1 order by id limit $2')

const sessionsOf = statement(
  'totals.sessions',
  `select user_id as "userId", start_time as "startedAt", end_time as "endedAt", time_zone as "timeZone"
  from deeb_sessions where user_id = any($1) and end_time is not null`,
)

const totalsOf = statement(
  'totals.saved',
  'select user_id as "userId", date, total_seconds as seconds from daily_stats where user_id = any($1)',
)

const correct = statement(
  'totals.correct',
  `insert into daily_stats (user_id, date, total_seconds) values ($1, $2, $3)
  on conflict (user_id, date) do update set total_seconds = excluded.total_seconds`,
)

const WEEKS = `select user_id, monday_of(date) as week_start, sum(total_minutes)::int as total_minutes
  from daily_stats group by 1, 2`

const SUMS = `select id as user_id, coalesce(sum(total_minutes), 0)::int as total_minutes,
    (count(*) filter (where total_minutes > 0))::int as active_weeks
  from profiles left join (${WEEKS}) as weeks on user_id = id group by 1`

const wrongSums = statement(
  'totals.wrong-sums',
  `select user_id as "userId" from (${WEEKS}) as weeks full join weekly_stats as saved using (user_id, week_start)
  where coalesce(weeks.total_minutes, 0) <> coalesce(saved.total_minutes, 0)
  union
  select user_id from (${SUMS}) as sums left join focus_totals as saved using (user_id)
  where (sums.total_minutes, sums.active_weeks) <> (coalesce(saved.total_minutes, 0), coalesce(saved.active_weeks, 0))`,
)

const correctWeeks = statement(
  'totals.correct-weeks',
  `with strangers as (
    delete from weekly_stats as saved where user_id = any($1) and not exists (
      select from daily_stats where user_id = saved.user_id and monday_of(date) = week_start)
  )
  insert into weekly_stats (user_id, week_start, total_minutes)
  select * from (${WEEKS}) as weeks where user_id = any($1)
  on conflict (user_id, week_start) do update set total_minutes = excluded.total_minutes`,
)

const correctSum = statement(
  'totals.correct-sums',
  `insert into focus_totals (user_id, total_minutes, active_weeks)
  select * from (${SUMS}) as sums where user_id = any($1)
  on conflict (user_id) do update set total_minutes = excluded.total_minutes, active_weeks = excluded.active_weeks`,
)

/** A person's date whose saved total is not what the sessions add up to. */
export interface WrongTotal {
  userId: string
  date: string
  savedSeconds: number
  sessionSeconds: number
}

/**
 * Adds all ended sessions up anew, by the rule and not by the arithmetic that saved them, and returns every total that
 * differs. Nobody may be switching meanwhile, or a session that ends between two reads looks like a difference.
 */
export async function findWrongTotals(db: Db): Promise<WrongTotal[]> {
  const wrong: WrongTotal[] = []
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const ids = (await db.query<{ id: string }>(people, [last, PEOPLE_AT_ONCE])).map((person) => person.id)
    if (ids.length === 0) return wrong
    for (const one of await compare(db, ids)) wrong.push(one)
    last = ids.at(-1) ?? last
  }
}

/** Writes what the sessions add up to. */
export async function correctTotals(db: Db, wrong: WrongTotal[]): Promise<void> {
  for (const { userId, date, sessionSeconds } of wrong) await db.query(correct, [userId, date, sessionSeconds])
}

/** The people whose sums over all days, from which the average week is made, are not the sums of their days. */
export async function findWrongSums(db: Db): Promise<string[]> {
  return (await db.query<{ userId: string }>(wrongSums)).map((person) => person.userId)
}

/** Writes the sums anew. After `correctTotals`, since they are sums of the totals. */
export async function correctSums(db: Db, userIds: string[]): Promise<void> {
  await db.query(correctWeeks, [userIds])
  await db.query(correctSum, [userIds])
}

async function compare(db: Db, ids: string[]): Promise<WrongTotal[]> {
  const days = new Map<string, WrongTotal>()
  const dayOf = (userId: string, date: string): WrongTotal => {
    const key = `${userId} ${date}`
    const day = days.get(key) ?? { userId, date, savedSeconds: 0, sessionSeconds: 0 }
    days.set(key, day)
    return day
  }
  for (const { userId, ...session } of await db.query<SessionRow>(sessionsOf, [ids])) {
    for (const { date, seconds } of splitByDay(session)) dayOf(userId, date).sessionSeconds += seconds
  }
  for (const { userId, date, seconds } of await db.query<TotalRow>(totalsOf, [ids])) {
    dayOf(userId, date).savedSeconds = seconds
  }
  return [...days.values()].filter((day) => day.savedSeconds !== day.sessionSeconds)
}

interface SessionRow {
  userId: string
  startedAt: Date
  endedAt: Date
  timeZone: string
}

interface TotalRow {
  userId: string
  date: string
  seconds: number
}
