import { dateAfter } from '@deeb/core/focus/split-by-day'
import { hoursAndMinutes, ringFill } from '@deeb/core/stats/ring'
import { monthsFrom } from '@deeb/core/stats/year'
import * as texts from '@deeb/texts/year'
import { LANGUAGE } from '../device/language.ts'
import { formatOf, timeText } from '../device/local-time.ts'
import type { DayOfYear } from './drawing.tsx'
import type { Year } from './year-queries.ts'

export type YearFigures = ReturnType<typeof yearFigures>

/** The figures and texts of a year, for the screen and the picture. */
export function yearFigures({ from, to, days, hourSeconds }: Year) {
  const dayOf = new Map(days.map((day) => [day.date, day]))
  const months = monthsFrom(from).map((month) => ({
    month,
    name: monthName(month.firstDate),
    /** Without the days that have not come. */
    days: Array.from({ length: month.days }, (_, n): DayOfYear | undefined => {
      const date = dateAfter(month.firstDate, n)
      const day = dayOf.get(date)
      return date > to ? undefined : day ? ringFill(day.minutes, day.goalMinutes) : { progress: 0, excess: 0 }
    }),
  }))
  const minutes = days.reduce((sum, day) => sum + day.minutes, 0)
  return {
    ...{ from, to, months, dayOf, hourSeconds },
    period: monthFormat({ month: 'short', year: 'numeric' }).formatRange(new Date(from), new Date(to)),
    sum: texts.sum({ time: hoursAndMinutes(minutes), count: days.length }),
    most: mostText(hourSeconds),
  }
}

function monthName(date: string): string {
  return monthFormat({ month: 'short' }).format(new Date(date))
}

function monthFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(LANGUAGE, { ...options, timeZone: 'UTC' })
}

/** The hours after which the curve has a tick. */
export const TICKS = [0, 6, 12, 18, 24]

/** `6 AM` or `06`: below the curve. */
export function hourText(hour: number): string {
  return formatOf({ hour: 'numeric' }).format(atHour(hour)).replaceAll(' ', '\u00a0')
}

/** On a day without a clock change. */
function atHour(hour: number): Date {
  return new Date(2026, 0, 1, hour)
}

/** Names the two hours in a row with the most time; empty if there is none. */
function mostText(hourSeconds: readonly number[]): string {
  const pairs = hourSeconds.map((seconds, hour) => seconds + (hourSeconds[(hour + 1) % hourSeconds.length] ?? 0))
  const most = Math.max(...pairs)
  if (most <= 0) return ''
  const hour = pairs.indexOf(most)
  return texts.most({ from: timeText(atHour(hour)), to: timeText(atHour(hour + 2)) })
}
