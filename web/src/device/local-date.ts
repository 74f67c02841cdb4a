import * as texts from '@deeb/texts/dates'
import { formatOf, timeText } from './local-time.ts'

/** `Monday, 15 June`, in the device's time zone. */
export function dayText(instant: Date): string {
  return textOf(instant, { weekday: 'long', day: 'numeric', month: 'long' })
}

/** `15 June 2026`, in the device's time zone. */
export function dateText(instant: Date): string {
  return textOf(instant, { day: 'numeric', month: 'long', year: 'numeric' })
}

/** French writes `1er juin`, which the browser does not. */
function textOf(instant: Date, options: Intl.DateTimeFormatOptions): string {
  const parts = formatOf(options).formatToParts(instant)
  return parts.map(({ type, value }) => (type === 'day' ? texts.dayNumber({ count: value }) : value)).join('')
}

/** Noon of a date `2026-06-15`, in the device's time zone: for a date that is the same in all of them. */
export function noonOf(date: string): Date {
  return new Date(`${date}T12:00`)
}

/** `09:05`, with the day if it differs from that of `reference`: `09:05 on Monday, 15 June`. */
export function timeOrDayText(instant: Date, reference: Date): string {
  const day = dayText(instant)
  return day === dayText(reference) ? timeText(instant) : texts.timeOnDay({ time: timeText(instant), day })
}
