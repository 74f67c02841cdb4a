import type { QuietTime } from '@deeb/core/circles/quiet-times'
import { WEEK_FROM_MONDAY } from '@deeb/core/goals/week-of-goals'
import { weekdayShortName } from '@deeb/core/goals/weekday-names'
import * as texts from '@deeb/texts/quiet'
import { FORMAT_LOCALE } from '../device/language.ts'

/** `Tu, Th, 9:00 AM to 11:00 AM`, by the clock of the circle. */
export function quietTimeText({ days, from, to }: QuietTime): string {
  const chosen = WEEK_FROM_MONDAY.filter((day) => days.includes(day))
  const isEveryDay = chosen.length === WEEK_FROM_MONDAY.length
  const named = isEveryDay ? texts.everyDay() : chosen.map((day) => weekdayShortName(day)).join(', ')
  return texts.range({ days: named, from: clockText(from), to: clockText(to) })
}

function clockText(minutes: number): string {
  const format = new Intl.DateTimeFormat(FORMAT_LOCALE, { timeStyle: 'short', timeZone: 'UTC' })
  return format.format(minutes * 60_000).replaceAll(' ', '\u00a0')
}
