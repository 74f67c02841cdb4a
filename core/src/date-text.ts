import * as texts from '@deeb/texts/dates'
import type { Language } from './languages.ts'

/** The day and the month of a date `2026-06-01`, as its language writes them: `1` and `Jun`, `1er` and `juin`. */
export function dayAndMonth(date: string, language: Language, month: 'short' | 'long'): { day: string; month: string } {
  // With a day: German then abbreviates the month with a full stop.
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month, timeZone: 'UTC' })
  const parts = format.formatToParts(new Date(date))
  return {
    day: texts.dayNumber({ count: Number(date.slice(-2)) }, { locale: language }),
    month: parts.find(({ type }) => type === 'month')?.value ?? '',
  }
}
