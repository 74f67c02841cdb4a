import { capOf } from '@deeb/core/focus/session'

const MINUTE_MS = 60_000

/* Clocks are set back by half an hour, one hour or two. */
const SET_BACK_MINUTES = [0, 30, 60, 120]

/** The value of a `datetime-local` field for an instant: the device's clock, to the minute. */
export function fieldValue(instant: Date): string {
  const digits = (part: number, count = 2) => String(part).padStart(count, '0')
  const date = [digits(instant.getFullYear(), 4), digits(instant.getMonth() + 1), digits(instant.getDate())].join('-')
  return `${date}T${digits(instant.getHours())}:${digits(instant.getMinutes())}`
}

/**
 * The instants that a `datetime-local` value can mean, earliest first: none for an empty field, two when the clock is set back.
 * The browser interprets a time that the clock skips, usually as an hour later.
 */
export function instantsOf(value: string): Date[] {
  const first = new Date(value)
  if (Number.isNaN(first.getTime())) return []
  const candidates = SET_BACK_MINUTES.map((minutes) => new Date(first.getTime() + minutes * MINUTE_MS))
  const meant = candidates.filter((candidate) => fieldValue(candidate) === value)
  return meant.length > 0 ? meant : [first]
}

/** Whether both instants have the same `datetime-local` value and meaning. */
export function isSameMinute(one: Date, other: Date | null): boolean {
  return other !== null && Math.floor(one.getTime() / MINUTE_MS) === Math.floor(other.getTime() / MINUTE_MS)
}

/** The date of a `datetime-local` value, `2026-06-15`, and its time, `09:05`. */
export function partsOf(instant: Date): { date: string; time: string } {
  const [date = '', time = ''] = fieldValue(instant).split('T')
  return { date, time }
}

/**
 * The instants that a time on a date can mean as the end of a session, earliest first. An end that would not be after the start
 * is on the next day, if the session is 16 hours at most.
 *
 *     22:00 to 01:30       01:30 of the next day
 *     09:00 to 08:00       08:00 of the same day, which is an error: 23 hours are too long
 */
export function endsOf(date: string, time: string, start: Date | null): Date[] {
  const sameDay = instantsOf(`${date}T${time}`)
  if (!start || sameDay.length === 0) return sameDay
  const after = sameDay.filter((end) => end > start)
  if (after.length > 0) return after
  const next = instantsOf(`${dateAfter(date)}T${time}`).filter((end) => end <= capOf(start))
  return next.length > 0 ? next : sameDay
}

function dateAfter(date: string): string {
  const noon = new Date(`${date}T12:00`)
  noon.setDate(noon.getDate() + 1)
  return partsOf(noon).date
}
