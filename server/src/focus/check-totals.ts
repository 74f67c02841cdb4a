import { splitByDay } from '@deeb/core/focus/split-by-day'
import { type Db, statement } from '../db/db.ts'
import { addToDailyTotals } from './daily-totals.ts'
import { lockPerson } from './lock-person.ts'

const PEOPLE_AT_ONCE = 200

const people = statement('totals.people', 'select id from profiles where id > :after order by id limit :limit')

/* Both in one statement, so that they are of one moment: a stop writes its session and its days together. */
const savedOf = statement(
  'totals.saved',
  `select user_id as "userId", start_time as "startedAt", end_time as "endedAt", time_zone as "timeZone",
    null as date, null::int as seconds
  from deeb_sessions where user_id = any(:userIds) and end_time is not null
  union all
  select user_id, null, null, null, date, total_seconds from daily_stats where user_id = any(:userIds)`,
)

const weeksOf = (whose: string) => `select user_id, monday_of(date) as week_start,
    sum(total_minutes)::int as total_minutes
  from daily_stats ${whose} group by 1, 2`

/* What each saved week lacks. `whose` stands on both sides: no condition gets through a full join by itself. */
const wrongWeeksOf = (whose: string) => `select user_id, week_start,
    coalesce(weeks.total_minutes, 0) - coalesce(saved.total_minutes, 0) as total_minutes
  from (${weeksOf(whose)}) as weeks full join (select * from weekly_stats ${whose}) as saved using (user_id, week_start)
  where coalesce(weeks.total_minutes, 0) <> coalesce(saved.total_minutes, 0)`

const SUMS = `select id as user_id, coalesce(sum(total_minutes), 0)::int as total_minutes,
    (count(*) filter (where total_minutes > 0))::int as active_weeks
  from profiles left join (${weeksOf('')}) as weeks on user_id = id group by 1`

const WRONG_SUMS = `select user_id, sums.total_minutes - coalesce(saved.total_minutes, 0) as total_minutes,
    sums.active_weeks - coalesce(saved.active_weeks, 0) as active_weeks
  from (${SUMS}) as sums left join focus_totals as saved using (user_id)
  where (sums.total_minutes, sums.active_weeks) <> (coalesce(saved.total_minutes, 0), coalesce(saved.active_weeks, 0))`

const wrongSums = statement(
  'totals.wrong-sums',
  `select user_id as "userId" from (${wrongWeeksOf('')}) as weeks union select user_id from (${WRONG_SUMS}) as sums`,
)

const correctWeeks = statement(
  'totals.correct-weeks',
  `insert into weekly_stats as saved (user_id, week_start, total_minutes)
  select * from (${wrongWeeksOf('where user_id = :userId')}) as wrong order by week_start
  on conflict (user_id, week_start) do update set total_minutes = saved.total_minutes + excluded.total_minutes`,
)

const correctSum = statement(
  'totals.correct-sums',
  `insert into focus_totals as saved (user_id, total_minutes, active_weeks)
  select * from (${WRONG_SUMS}) as wrong where user_id = :userId
  on conflict (user_id) do update set total_minutes = saved.total_minutes + excluded.total_minutes,
    active_weeks = saved.active_weeks + excluded.active_weeks`,
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
 * differs. People may switch meanwhile.
 */
export async function findWrongTotals(db: Db): Promise<WrongTotal[]> {
  const wrong: WrongTotal[] = []
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const ids = (await db.query<{ id: string }>(people, { after: last, limit: PEOPLE_AT_ONCE })).map(
      (person) => person.id,
    )
    if (ids.length === 0) return wrong
    for (const one of await compare(db, ids)) wrong.push(one)
    last = ids.at(-1) ?? last
  }
}

/**
 * Gives these people's totals what they differ by from what the sessions add up to, and returns what differed.
 *
 * People may switch meanwhile: whatever ends adds as much to the one as to the other, so a difference that was right at
 * any moment stays right. A total that is set would take back what was added since it was looked at.
 */
export async function correctTotals(db: Db, userIds: string[]): Promise<WrongTotal[]> {
  const corrected: WrongTotal[] = []
  for (const userId of userIds) {
    corrected.push(...(await db.transaction((transaction) => correctTotalsOf(transaction, userId))))
  }
  return corrected
}

async function correctTotalsOf(db: Db, userId: string): Promise<WrongTotal[]> {
  // Another rebuild would add the same difference once more.
  await lockPerson(db, userId)
  const wrong = await compare(db, [userId])
  await addToDailyTotals(db, userId, new Map(wrong.map((day) => [day.date, day.sessionSeconds - day.savedSeconds])))
  return wrong
}

/** The people whose sums over all days, from which the average week is made, are not the sums of their days. */
export async function findWrongSums(db: Db): Promise<string[]> {
  return (await db.query<{ userId: string }>(wrongSums)).map((person) => person.userId)
}

/** The same for these people's sums, which are made of the totals as they are. */
export async function correctSums(db: Db, userIds: string[]): Promise<void> {
  for (const userId of userIds) await db.transaction((transaction) => correctSumsOf(transaction, userId))
}

async function correctSumsOf(db: Db, userId: string): Promise<void> {
  await lockPerson(db, userId)
  await db.query(correctWeeks, { userId })
  // Once the weeks are right: whether one has its first minute is decided by what is saved of it.
  await db.query(correctSum, { userId })
}

async function compare(db: Db, ids: string[]): Promise<WrongTotal[]> {
  const days = new Map<string, WrongTotal>()
  const dayOf = (userId: string, date: string): WrongTotal => {
    const key = `${userId} ${date}`
    const day = days.get(key) ?? { userId, date, savedSeconds: 0, sessionSeconds: 0 }
    days.set(key, day)
    return day
  }
  for (const row of await db.query<SessionRow | TotalRow>(savedOf, { userIds: ids })) {
    if (row.date !== null) dayOf(row.userId, row.date).savedSeconds = row.seconds
    else for (const { date, seconds } of splitByDay(row)) dayOf(row.userId, date).sessionSeconds += seconds
  }
  return [...days.values()].filter((day) => day.savedSeconds !== day.sessionSeconds)
}

interface SessionRow {
  userId: string
  startedAt: Date
  endedAt: Date
  timeZone: string
  date: null
}

interface TotalRow {
  userId: string
  date: string
  seconds: number
}
