/*
 * How figures of a company's report are written. Without a time zone: the hours are those of each person's day. A locale is the language
 * with the reader's region, which decides between 12 and 24 hours.
 */
import * as texts from '@deeb/texts/report'
import { dayAndMonth } from '../date-text.ts'
import { WEEK_FROM_MONDAY } from '../goals/week-of-goals.ts'
import { weekdayName, weekdayShortName } from '../goals/weekday-names.ts'
import type { Language } from '../languages.ts'
import { BLUR, NOISE } from './figures.ts'

/** The hours between the bars of the time of day. */
const TIME_BOUNDS = [8, 10, 12, 14, 16, 18] as const

/** The bars of the day of the week are these five days and the weekend. */
const WEEKDAYS = WEEK_FROM_MONDAY.slice(0, 5)

/** The texts by the index of their bar. */
const BUSIEST_DAY_TEXTS = [
  texts.mostOnMondays,
  texts.mostOnTuesdays,
  texts.mostOnWednesdays,
  texts.mostOnThursdays,
  texts.mostOnFridays,
  texts.mostOnWeekends,
]

interface Bar {
  /** `Tuesday` */
  name: string
  /** The text below the bar, or below its left edge: `Tu`. */
  tick: string
  percent: number
  /** Whether a sentence names it as the one with the most focus time. */
  isMost: boolean
}

/** `Before 08:00`, `08:00 to 10:00`, …, `After 18:00`, with the hours between them. */
export function timeBars(times: readonly number[], locale: string): Bar[] {
  const most = busiestTime(times)
  const hours = hourTexts(locale)
  return times.map((percent, n) => {
    const [from, to] = [hours[n - 1], hours[n]]
    const tick = from === undefined ? '' : tickOf(from)
    return { name: timeName(from, to), tick, percent, isMost: n === most }
  })
}

/** `08:00`, `10:00`, …, or `8:00 AM`, as the app writes times elsewhere. */
function hourTexts(locale: string): string[] {
  const format = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' })
  return TIME_BOUNDS.map((hour) => format.format(hour * 3_600_000).replaceAll(' ', '\u00a0'))
}

/** `08:00`, or `8 AM`: without minutes where a word tells that it is a time. The bars are narrow. */
function tickOf(hourText: string): string {
  return /^[\d:]+$/.test(hourText) ? hourText : hourText.replace(':00', '')
}

function timeName(from: string | undefined, to: string | undefined): string {
  if (from === undefined) return texts.beforeHour({ hour: to ?? '' })
  return to === undefined ? texts.afterHour({ hour: from }) : texts.hourRange({ from, to })
}

/** `Monday`, …, `Friday`, `Weekend`. */
export function dayBars(days: readonly number[]): Bar[] {
  const most = busiestDay(days)
  const names = WEEKDAYS.map((day) => ({ name: weekdayName(day), tick: weekdayShortName(day) }))
  const weekend = { name: texts.weekend(), tick: texts.weekendTick() }
  return [...names, weekend].map((bar, n) => ({ ...bar, percent: days[n] ?? 0, isMost: n === most }))
}

/** The time between 8 and 18 with the most focus time of the day. Null where it is earlier or later, or where two share the first place. */
function busiestTime(times: readonly number[]): number | null {
  const most = onlyOne(times, Math.max(...times))
  return most === 0 || most === times.length - 1 ? null : most
}

/** The day, or the weekend, with the most focus time. Null where two share the first place. */
function busiestDay(days: readonly number[]): number | null {
  return onlyOne(days, Math.max(...days))
}

/** The index of a value that occurs once; null if it occurs more than once. */
function onlyOne(values: readonly number[], value: number): number | null {
  const first = values.indexOf(value)
  return first === values.lastIndexOf(value) ? first : null
}

/** `Most focus time is between 10:00 and 12:00.` Null without a busiest time. */
export function timesText(times: readonly number[], locale: string): string | null {
  const most = busiestTime(times)
  if (most === null) return null
  const [from = '', to = ''] = hourTexts(locale).slice(most - 1)
  return texts.mostTime({ from, to })
}

/** `Most focus time is on Tuesdays.` Null where it would name two. */
export function daysText(days: readonly number[]): string | null {
  const most = busiestDay(days)
  return most === null ? null : (BUSIEST_DAY_TEXTS[most]?.() ?? null)
}

const NUMBERS = [texts.four, texts.five, texts.six, texts.seven, texts.eight, texts.nine, texts.ten]

/** How far chance moves a number, from the mean size of the noise in people: `about four people, or about 40 hours`. */
export function blurText(blur: number): string {
  const people = NUMBERS[blur - BLUR.from]?.() ?? blur
  return texts.blur({ people, hours: (blur * NOISE.minutes) / 60 })
}

/** `5 Oct` */
export function dateText(date: string, language: Language): string {
  return texts.date(dayAndMonth(date, language, 'short'), { locale: language })
}

/** `5 Oct to 1 Nov`; `8 Dec 2025 to 4 Jan 2026` over the end of a year. */
export function periodText(from: string, to: string, language: Language): string {
  const yearOf = (date: string) => date.slice(0, 4)
  const text = (date: string) =>
    yearOf(from) === yearOf(to)
      ? dateText(date, language)
      : texts.dateOfYear({ date: dateText(date, language), year: yearOf(date) }, { locale: language })
  return texts.period({ from: text(from), to: text(to) }, { locale: language })
}

/** `Monday, 5 October`, of a date that is a Monday. */
export function mondayText(monday: string, language: Language): string {
  return texts.mondayDate(dayAndMonth(monday, language, 'long'), { locale: language })
}
