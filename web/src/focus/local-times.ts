const MINUTE_MS = 60_000

const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** `Monday 15 June`, by the device's clock. */
export function dayText(instant: Date): string {
  return dayFormat.format(instant).replace(',', '')
}

/** `09:05`, by the device's clock. */
export function timeText(instant: Date): string {
  return timeFormat.format(instant)
}

/** An instant as a `datetime-local` field has it: the device's clock, to the minute. */
export function fieldValue(instant: Date): string {
  return new Date(instant.getTime() - instant.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}

/**
 * The instant that a `datetime-local` field means; null for an empty one. A text that was not changed means the instant it
 * was made from, seconds and all. In the hour that a clock lives through twice, the one nearer to that instant is meant;
 * of an hour that it leaves out, the browser takes what the clock would have shown.
 */
export function instantOf(value: string, before: Date): Date | null {
  if (value === fieldValue(before)) return before
  const first = new Date(value)
  if (Number.isNaN(first.getTime())) return null
  // Clocks are set back by half an hour, one hour or two.
  const candidates = [0, 30, 60, 120].map((minutes) => new Date(first.getTime() + minutes * MINUTE_MS))
  const meant = candidates.filter((candidate) => fieldValue(candidate) === value)
  const distance = (candidate: Date) => Math.abs(candidate.getTime() - before.getTime())
  return meant.sort((a, b) => distance(a) - distance(b))[0] ?? first
}
