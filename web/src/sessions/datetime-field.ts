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
