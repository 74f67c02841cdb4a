import { localTimeOf, mondayAt } from '../focus/split-by-day.ts'

/** The screen of the year. Not in paths.ts, which every screen loads. */
export const YEAR_PATH = '/app/profile/year'

const MONTHS = 12

/** A year says something from so many weeks with focus time on. Before that, nothing offers it. */
export const MIN_WEEKS_OF_YEAR = 4

/** The first date of the year that ends with `today`: of twelve months, the current one among them. */
export function firstDateOfYear(today: string): string {
  return dateOf(yearOf(today), monthOf(today) - MONTHS + 1)
}

export interface Month {
  /** The date of its first day. */
  firstDate: string
  days: number
  /** The day of the week of its first day: 0 = Monday to 6 = Sunday. */
  weekday: number
}

/** The twelve months from the first date of a year. */
export function monthsFrom(firstDate: string): Month[] {
  return Array.from({ length: MONTHS }, (_, n) => {
    const [year, month] = [yearOf(firstDate), monthOf(firstDate) + n]
    const first = new Date(Date.UTC(year, month, 1))
    return {
      firstDate: dateOf(year, month),
      days: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
      weekday: (first.getUTCDay() + 6) % 7,
    }
  })
}

/** The number of weeks in which these dates are. */
export function weeksOf(dates: readonly string[]): number {
  return new Set(dates.map((date) => mondayAt(new Date(date), 'UTC'))).size
}

const HOURS = 24
const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/**
 * The seconds of sessions in each hour of the day by the clock where they were: 24 numbers, from midnight on. An hour that the clock
 * repeats counts twice, as two hours pass, and one that it skips is empty.
 *
 *     Berlin, 25 Oct 2026     01:30 [=== 01 === 02 === 02 === 03 ===] 03:30      30 min, 2 h, 30 min
 *     Berlin, 29 Mar 2026     01:30 [=== 01 === 03 ===] 03:30                    30 min, 0, 30 min
 */
export function secondsByHour(sessions: Iterable<{ startedAt: Date; endedAt: Date; timeZone: string }>): number[] {
  const seconds = Array.from({ length: HOURS }, () => 0)
  for (const { startedAt, endedAt, timeZone } of sessions) {
    const clock = (instant: number) => Date.parse(`${localTimeOf(new Date(instant), timeZone).slice(0, 19)}Z`)
    const [start, end] = [startedAt.getTime(), endedAt.getTime()]
    const from = clock(start)
    if (clock(end) - from === end - start) addSpan(seconds, from, end - start)
    // The clock changed in it. All changes are on whole minutes.
    else {
      for (let at = start; at < end; ) {
        const length = Math.min(MINUTE_MS - (at % MINUTE_MS), end - at)
        addSpan(seconds, clock(at), length)
        at += length
      }
    }
  }
  return seconds
}

/** Adds a time on the clock, which does not change in it. Both are in ms. */
function addSpan(seconds: number[], from: number, length: number): void {
  for (let at = from; at < from + length; ) {
    const end = Math.min(at - (at % HOUR_MS) + HOUR_MS, from + length)
    const hour = Math.floor(at / HOUR_MS) % HOURS
    seconds[hour] = (seconds[hour] ?? 0) + (end - at) / SECOND_MS
    at = end
  }
}

/** `month` counts from 0, and may be outside of the year. */
function dateOf(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
}

function yearOf(date: string): number {
  return Number(date.slice(0, 4))
}

function monthOf(date: string): number {
  return Number(date.slice(5, 7)) - 1
}
