import type { Span } from '@deeb/core/focus/history'
import { type Db, statement } from '../db/db.ts'
import { type DayCut, secondsByDate } from './day-cut.ts'

/* Row locks in date order, the same order as at the end of a session. This prevents deadlocks. */
const lockDays = statement(
  'focus.lock-days',
  'select from daily_stats where user_id = :userId and date = any(:dates::text[]) order by date for update',
)

/*
 * Decreases are updates, because their rows exist. Increases are upserts, because their rows may not. One upsert for both
 * would fail: the check constraint rejects a negative row before `on conflict` applies.
 */
const shift = statement(
  'focus.shift-days',
  `with shift as (
    select date, seconds from unnest(:dates::text[], :seconds::int[]) as shift (date, seconds)
  ), less as (
    update daily_stats as stats set total_seconds = total_seconds + seconds from shift
    where user_id = :userId and stats.date = shift.date and seconds < 0
  )
  insert into daily_stats as stats (user_id, date, total_seconds)
  select :userId, date, seconds from shift where seconds > 0 order by date
  on conflict (user_id, date) do update set total_seconds = stats.total_seconds + excluded.total_seconds`,
)

/** A changed session as it was counted in the daily totals and as it must be counted now. Null means: not counted. */
export interface Recount {
  before: (Span & DayCut) | null
  after: (Span & DayCut) | null
}

/** Updates a user's daily totals after changes of sessions. Call it in the transaction that writes the sessions. */
export async function adjustDailyTotals(db: Db, userId: string, recounts: Recount[]): Promise<void> {
  const shifts = new Map<string, number>()
  const add = (date: string, seconds: number) => shifts.set(date, (shifts.get(date) ?? 0) + seconds)
  for (const { before, after } of recounts) {
    for (const { date, seconds } of before ? secondsByDate(before) : []) add(date, -seconds)
    for (const { date, seconds } of after ? secondsByDate(after) : []) add(date, seconds)
  }
  await addToDailyTotals(db, userId, shifts)
}

/** Adds seconds to a user's daily totals, by local date. Negative seconds are subtracted. */
export async function addToDailyTotals(db: Db, userId: string, shifts: Map<string, number>): Promise<void> {
  if (shifts.size === 0) return
  await db.query(lockDays, { userId, dates: [...shifts.keys()] })
  await db.query(shift, { userId, dates: [...shifts.keys()], seconds: [...shifts.values()] })
}
