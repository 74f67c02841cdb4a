import { currentTimeZone } from './time-zone.ts'

const MINUTE_MS = 60_000

/* Clocks are set back by half an hour, one hour or two. */
const SET_BACK_MINUTES = [0, 30, 60, 120]

/* In the language and the order of the browser, as its date fields are. Asked for the zone each time: people travel. */
const format = (options: Intl.DateTimeFormatOptions) => (instant: Date) =>
  new Intl.DateTimeFormat(undefined, { ...options, timeZone: currentTimeZone() }).format(instant)

/** `Monday, 15 June`, by the device's clock. */
export const dayText = format({ weekday: 'long', day: 'numeric', month: 'long' })

/** `09:05`, by the device's clock. */
export const timeText = format({ hour: '2-digit', minute: '2-digit' })

/** `02:50 CEST`, for the hour that a clock lives through twice. */
export const timeAndZoneText = format({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' })

/** An instant as a `datetime-local` field has it: the device's clock, to the minute. */
export function fieldValue(instant: Date): string {
  const digits = (part: number, count = 2) => String(part).padStart(count, '0')
  const date = [digits(instant.getFullYear(), 4), digits(instant.getMonth() + 1), digits(instant.getDate())].join('-')
  return `${date}T${digits(instant.getHours())}:${digits(instant.getMinutes())}`
}

/**
 * The instants that a `datetime-local` field may mean, the earliest first: none for an empty field, two in the hour that a
 * clock lives through twice. Of an hour that it leaves out, what the browser takes it for: the clock an hour on.
 */
export function instantsOf(value: string): Date[] {
  const first = new Date(value)
  if (Number.isNaN(first.getTime())) return []
  const candidates = SET_BACK_MINUTES.map((minutes) => new Date(first.getTime() + minutes * MINUTE_MS))
  const meant = candidates.filter((candidate) => fieldValue(candidate) === value)
  return meant.length > 0 ? meant : [first]
}

/** Whether a `datetime-local` field shows both alike, and means the same by it. */
export function isSameMinute(one: Date, other: Date | null): boolean {
  return other !== null && Math.floor(one.getTime() / MINUTE_MS) === Math.floor(other.getTime() / MINUTE_MS)
}
