import type { Span } from '@deeb/core/focus/history'
import { type Db, statement } from '../db/db.ts'
import { type DayCut, secondsByDate } from './day-cut.ts'

/* The days are locked in the order of time, as the end of a session locks them, so that the two never wait for each other. */
const lockDays = statement(
  'focus.lock-days',
  'select from daily_stats where user_id = :userId and date = any(:dates::text[]) order by date for update',
)

/* A day that loses time has a row; one that gains may have none, and a negative row would be refused before it is added. */
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

/** What a session was counted as, and is to be counted as; null where it was not, or is not to be. */
export interface Recount {
  before: (Span & DayCut) | null
  after: (Span & DayCut) | null
}

/** Gives a person's days what sessions gained, and takes what they lost. Belongs into the transaction that writes them. */
export async function adjustDailyTotals(db: Db, userId: string, recounts: Recount[]): Promise<void> {
  const shifts = new Map<string, number>()
  const add = (date: string, seconds: number) => shifts.set(date, (shifts.get(date) ?? 0) + seconds)
  for (const { before, after } of recounts) {
    for (const { date, seconds } of before ? secondsByDate(before) : []) add(date, -seconds)
    for (const { date, seconds } of after ? secondsByDate(after) : []) add(date, seconds)
  }
  await addToDailyTotals(db, userId, shifts)
}

/** Adds seconds to a person's days, by date; fewer where they are negative. */
export async function addToDailyTotals(db: Db, userId: string, shifts: Map<string, number>): Promise<void> {
  if (shifts.size === 0) return
  await db.query(lockDays, { userId, dates: [...shifts.keys()] })
  await db.query(shift, { userId, dates: [...shifts.keys()], seconds: [...shifts.values()] })
}
