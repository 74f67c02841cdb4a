import * as texts from '@deeb/texts/common'
import { FORMAT_LOCALE } from './language.ts'

/** The device's time zone, an IANA name. Read on each call: people travel with the page open. */
export function currentTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/* In the language of the page, with the region of the browser. */
const format = (options: Intl.DateTimeFormatOptions) => (instant: Date) =>
  new Intl.DateTimeFormat(FORMAT_LOCALE, { ...options, timeZone: currentTimeZone() }).format(instant)

/** `Monday, 15 June`, in the device's time zone. */
export const dayText = format({ weekday: 'long', day: 'numeric', month: 'long' })

/** `15 June 2026`, in the device's time zone. */
export const dateText = format({ day: 'numeric', month: 'long', year: 'numeric' })

/** Noon of a date `2026-06-15`, in the device's time zone: for a date that is the same in all of them. */
export function noonOf(date: string): Date {
  return new Date(`${date}T12:00`)
}

const timeFormat = format({ hour: '2-digit', minute: '2-digit' })

/** `09:05` or `09:05 AM`, in the device's time zone. Does not wrap. */
export function timeText(instant: Date): string {
  return timeFormat(instant).replaceAll(' ', '\u00a0')
}

/** `09:05 – 10:00`, in the device's time zone. Wraps only after the dash. */
export function timeRangeText(from: Date, to: Date): string {
  return `${timeText(from)}\u00a0– ${timeText(to)}`
}

/** `02:50 CEST`: with the zone, since an hour occurs twice when the clock is set back. */
export const timeAndZoneText = format({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' })

/** `09:05`, with the day if it differs from that of `reference`: `09:05 on Monday, 15 June`. */
export function timeOrDayText(instant: Date, reference: Date): string {
  const day = dayText(instant)
  return day === dayText(reference) ? timeText(instant) : texts.timeOnDay({ time: timeText(instant), day })
}
