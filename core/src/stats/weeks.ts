/*
 * Weeks are named by the date of their Monday, YYYY-MM-DD. So a week has the same name in every time zone, and names compare
 * like dates.
 */
import * as texts from '@deeb/texts/stats'
import { dayAndMonth } from '../date-text.ts'
import { dateAfter, mondayAt } from '../focus/split-by-day.ts'
import type { Language } from '../languages.ts'

/** The current week and those before it, in the line of weeks. */
export const WEEKS_IN_LINE = 12

/** The first Monday of Unix time. No earlier week is valid. */
const FIRST_MONDAY = '1970-01-05'

/** The Monday a number of weeks later, or earlier if negative. */
export function mondayAfter(monday: string, weeks: number): string {
  return dateAfter(monday, 7 * weeks)
}

/** How long before a week people learn that it is counted, and by how much the first date of the world is ahead of UTC. */
const NOTICE_HOURS = 48
const FIRST_DATE_HOURS = 14

/** The next Monday that is at least two days away everywhere. */
export function comingMonday(now: Date): string {
  return mondayAfter(mondayAt(new Date(now.getTime() + (NOTICE_HOURS + FIRST_DATE_HOURS) * 3_600_000), 'UTC'), 1)
}

/** Whether a text names a week: the date of a Monday, from 1970. */
export function isWeek(text: string): boolean {
  const at = Date.parse(text)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(at)) return false
  const date = new Date(at)
  // 31 February is read as a day of March.
  return date.getUTCDay() === 1 && date.toISOString().startsWith(text) && text >= FIRST_MONDAY
}

/** The week that a URL names; null if that is not one of the weeks from the first one with time to the last one. */
export function earlierWeekIn(
  text: string | null,
  { firstWeek, thisWeek }: { firstWeek: string | null; thisWeek: string },
): string | null {
  if (text === null || firstWeek === null || !isWeek(text)) return null
  return firstWeek <= text && text < thisWeek ? text : null
}

/**
 * The name of a week on the screen, here in English.
 *
 *     this one, the last one     This week, Last week
 *     earlier in this year       12 – 18 Oct, 28 Sep – 4 Oct
 *     in another year            12 – 18 Oct 2025, 30 Dec 2024 – 5 Jan 2025
 */
export function weekText(monday: string, thisWeek: string, language: Language = 'en'): string {
  const locale = { locale: language }
  if (monday === thisWeek) return texts.thisWeek({}, locale)
  if (monday === mondayAfter(thisWeek, -1)) return texts.lastWeek({}, locale)
  const sunday = dateAfter(monday, 6)
  const [from, to] = [partsOf(monday, language), partsOf(sunday, language)]
  const isThisYear = to.year === partsOf(dateAfter(thisWeek, 6), language).year
  const showsBothYears = !isThisYear && from.year !== to.year
  const start = showsBothYears ? texts.dayOfYear : from.month === to.month ? texts.day : texts.dayOfMonth
  const end = isThisYear ? texts.dayOfMonth : texts.dayOfYear
  return texts.weekFromTo({ from: start(from, locale), to: end(to, locale) }, locale)
}

function partsOf(date: string, language: Language): { day: string; month: string; year: string } {
  return { ...dayAndMonth(date, language, 'short'), year: date.slice(0, 4) }
}
