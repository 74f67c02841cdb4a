/*
 * How figures of a company's report are written. In English and without a time zone: everybody at a company reads the same text.
 */
import { WEEK_FROM_MONDAY } from '../goals/week-of-goals.ts'
import { weekdayName } from '../goals/weekday-names.ts'
import { BLUR, NOISE } from './figures.ts'

/** The hours between the bars of the time of day. */
const TIME_BOUNDS = [8, 10, 12, 14, 16, 18] as const

/** The bars of the day of the week: five days and the weekend. */
const DAY_NAMES = [...WEEK_FROM_MONDAY.slice(0, 5).map((day) => weekdayName(day, 'en')), 'Weekend']

interface Bar {
  /** `Tuesday` */
  name: string
  /** The text below the bar, or below its left edge: `Tu`. */
  tick: string
  percent: number
  /** Whether a sentence names it as the one with the most focus time. */
  isMost: boolean
}

/** `Before 8:00`, `8:00 to 10:00`, …, `After 18:00`, with the hours between them. */
export function timeBars(times: readonly number[]): Bar[] {
  const { most } = busiestTimes(times)
  return times.map((percent, n) => {
    const [from, to] = [TIME_BOUNDS[n - 1], TIME_BOUNDS[n]]
    const name =
      from === undefined ? `Before ${to}:00` : to === undefined ? `After ${from}:00` : `${from}:00 to ${to}:00`
    return { name, tick: from === undefined ? '' : `${from}:00`, percent, isMost: n === most }
  })
}

/** `Monday`, …, `Friday`, `Weekend`. */
export function dayBars(days: readonly number[]): Bar[] {
  const most = busiestDay(days)
  return DAY_NAMES.map((name, n) => ({
    name,
    tick: name === 'Weekend' ? 'Sa, Su' : name.slice(0, 2),
    percent: days[n] ?? 0,
    isMost: n === most,
  }))
}

/** The times between 8 and 18 with the most and the least focus time. Null where two share the first place. */
function busiestTimes(times: readonly number[]): { most: number | null; least: number | null } {
  const daytime = times.slice(1, -1)
  return { most: onlyOne(daytime, Math.max(...daytime), 1), least: onlyOne(daytime, Math.min(...daytime), 1) }
}

/** The day, or the weekend, with the most focus time. Null where two share the first place. */
function busiestDay(days: readonly number[]): number | null {
  return onlyOne(days, Math.max(...days))
}

/** The index of a value that occurs once, plus an offset; null if it occurs more than once. */
function onlyOne(values: readonly number[], value: number, offset = 0): number | null {
  const first = values.indexOf(value)
  return first === values.lastIndexOf(value) ? first + offset : null
}

/** `Most focus time is between 10:00 and 12:00, least between 12:00 and 14:00.` Null where it would name two times. */
export function timesText(times: readonly number[]): string | null {
  const { most, least } = busiestTimes(times)
  if (most === null) return null
  return `Most focus time is ${between(most)}${least === null ? '' : `, least ${between(least)}`}.`
}

function between(time: number): string {
  return `between ${TIME_BOUNDS[time - 1]}:00 and ${TIME_BOUNDS[time]}:00`
}

/** `Most focus time is on Tuesdays.` Null where it would name two. */
export function daysText(days: readonly number[]): string | null {
  const most = busiestDay(days)
  return most === null ? null : `Most focus time is on ${DAY_NAMES[most]?.replace('Weekend', 'weekend')}s.`
}

/** `9 h 30 m`, `50 m`, `9 h`. */
export function lengthText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${rest} m`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} m`
}

const month = (date: string, month: 'short' | 'long') =>
  new Intl.DateTimeFormat('en', { month, timeZone: 'UTC' }).format(new Date(date))

const NUMBERS = ['four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** How far chance moves a number, from the mean size of the noise in people: `about four people, or about 40 hours`. */
export function blurText(blur: number): string {
  return `about ${NUMBERS[blur - BLUR.from] ?? blur} people, or about ${(blur * NOISE.minutes) / 60} hours`
}

/** `5 Oct` */
export function dateText(date: string): string {
  return `${Number(date.slice(-2))} ${month(date, 'short')}`
}

/** `5 Oct to 1 Nov`; `8 Dec 2025 to 4 Jan 2026` over the end of a year. */
export function periodText(from: string, to: string): string {
  const years = [from, to].map((date) => date.slice(0, 4))
  if (years[0] === years[1]) return `${dateText(from)} to ${dateText(to)}`
  return `${dateText(from)} ${years[0]} to ${dateText(to)} ${years[1]}`
}

/** `Monday, 5 October`, of a date that is a Monday. */
export function mondayText(monday: string): string {
  return `Monday, ${Number(monday.slice(-2))} ${month(monday, 'long')}`
}
