import { deviceZone } from '@deeb/core/focus/device-zone'
import { FORMAT_LOCALE } from './language.ts'

/** The device's time zone and its UTC offset, for a call. Read each time: people travel with the page open. */
export function currentZone() {
  return deviceZone(new Date())
}

export function currentTimeZone(): string {
  return currentZone().timeZone
}

/** Returns a format in the language of the page, with the region of the browser, in the device's time zone. */
export function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(FORMAT_LOCALE, options)
}

/** `09:05` or `9:05 AM`, in the device's time zone. Does not wrap. */
export function timeText(instant: Date): string {
  return formatOf({ timeStyle: 'short' }).format(instant).replaceAll(' ', '\u00a0')
}

/** `09:05–10:00`, in the device's time zone. Wraps only after the dash. */
export function timeRangeText(from: Date, to: Date): string {
  return `${timeText(from)}–${timeText(to)}`
}

/** `02:50 CEST`: with the zone, since an hour occurs twice when the clock is set back. */
export function timeAndZoneText(instant: Date): string {
  return formatOf({ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }).format(instant)
}
