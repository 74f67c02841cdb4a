import { splitByDay } from '@deeb/core/focus/split-by-day'
import { type Db, statement } from '../db/db.ts'
import { inBatches } from '../db/in-batches.ts'
import { addToDailyTotals } from './daily-totals.ts'
import { lockProfile } from './lock-profile.ts'

const PEOPLE_PER_BATCH = 200

const people = statement('totals.people', 'select id from profiles where id > :after order by id limit :limit')

/*
 * One statement, so sessions, totals and the mark are read from one snapshot: a stop writes sessions and totals in one transaction,
 * and a purge commits the mark before it deletes sessions of earlier dates.
 */
const savedOf = statement(
  'totals.saved',
  `select saved.*, coalesce(sessions_from, '') as "sessionsFrom" from (
    select user_id as "userId", start_time as "startedAt", end_time as "endedAt", time_zone as "timeZone",
      null as date, null::int as seconds
    from deeb_sessions where user_id = any(:userIds) and end_time is not null
    union all
    select user_id, null, null, null, date, total_seconds from daily_stats where user_id = any(:userIds)
  ) as saved left join retention_marks on true`,
)

const weeksOf = (where: string) => `select user_id, monday_of(date) as week_start,
    sum(total_minutes)::int as total_minutes
  from daily_stats ${where} group by 1, 2`

/* What each saved week lacks. `where` filters both sides: PostgreSQL pushes no condition down through a full join. */
const wrongWeeksOf = (where: string) => `select user_id, week_start,
    coalesce(weeks.total_minutes, 0) - coalesce(saved.total_minutes, 0) as total_minutes
  from (${weeksOf(where)}) as weeks full join (select * from weekly_stats ${where}) as saved using (user_id, week_start)
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

/** A saved daily total that differs from the sum of the user's focus sessions on that date. */
export interface WrongTotal {
  userId: string
  date: string
  savedSeconds: number
  sessionSeconds: number
}

/**
 * Recalculates all daily totals from the ended focus sessions and returns those that differ. It uses core's `splitByDay`,
 * not the SQL that saved them. Safe while users switch. Days whose sessions may be purged are not compared.
 */
export async function findWrongTotals(db: Db): Promise<WrongTotal[]> {
  const wrong: WrongTotal[] = []
  for await (const batch of inBatches(db, people, { limit: PEOPLE_PER_BATCH })) {
    const ids = batch.map(({ id }) => id)
    for (const one of await compare(db, ids)) wrong.push(one)
  }
  return wrong
}

/**
 * Adds the missing seconds to these users' daily totals, or subtracts the surplus. Returns the totals that differed.
 *
 * Safe while users switch: a stop adds the same time to sessions and totals, so the difference stays right. Setting a total
 * would lose what was added after the read.
 */
export async function correctTotals(db: Db, userIds: string[]): Promise<WrongTotal[]> {
  const corrected: WrongTotal[] = []
  for (const userId of userIds) {
    corrected.push(...(await db.transaction((transaction) => correctTotalsOf(transaction, userId))))
  }
  return corrected
}

async function correctTotalsOf(db: Db, userId: string): Promise<WrongTotal[]> {
  // A concurrent rebuild would add the same difference a second time.
  await lockProfile(db, userId)
  const wrong = await compare(db, [userId])
  await addToDailyTotals(db, userId, new Map(wrong.map((day) => [day.date, day.sessionSeconds - day.savedSeconds])))
  return wrong
}

/**
 * The ids of users whose saved weeks or all-time sums (for the average week) differ from the sums of their daily totals.
 */
export async function findWrongSums(db: Db): Promise<string[]> {
  return (await db.query<{ userId: string }>(wrongSums)).map((person) => person.userId)
}

/** Corrects the weeks and all-time sums of these users from their daily totals. Correct those first. */
export async function correctSums(db: Db, userIds: string[]): Promise<void> {
  for (const userId of userIds) await db.transaction((transaction) => correctSumsOf(transaction, userId))
}

async function correctSumsOf(db: Db, userId: string): Promise<void> {
  await lockProfile(db, userId)
  await db.query(correctWeeks, { userId })
  // After the weeks: `active_weeks` counts saved weeks with at least one minute.
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
  const rows = await db.query<SessionRow | TotalRow>(savedOf, { userIds: ids })
  for (const row of rows) {
    if (row.date !== null) dayOf(row.userId, row.date).savedSeconds = row.seconds
    else for (const { date, seconds } of splitByDay(row)) dayOf(row.userId, date).sessionSeconds += seconds
  }
  const sessionsFrom = rows[0]?.sessionsFrom ?? ''
  return [...days.values()].filter((day) => day.date >= sessionsFrom && day.savedSeconds !== day.sessionSeconds)
}

interface Row {
  /** A date, or empty: days before it are not compared. */
  sessionsFrom: string
}

interface SessionRow extends Row {
  userId: string
  startedAt: Date
  endedAt: Date
  timeZone: string
  date: null
}

interface TotalRow extends Row {
  userId: string
  date: string
  seconds: number
}
