import { UTC_OFFSET } from './device-zone.ts'

/** A local day, as the two instants that bound it. It has 24 hours, or fewer or more if clocks change on it. */
export interface LocalDaySpan {
  /** YYYY-MM-DD */
  readonly date: string
  /** 0 = Sunday to 6 = Saturday. */
  readonly dayOfWeek: number
  /** Inclusive. */
  readonly startsAt: Date
  /** Exclusive: the start of the next local day that exists. */
  readonly endsAt: Date
}

export interface DayPart {
  /** YYYY-MM-DD, in the time zone of the session. */
  date: string
  /** Whole seconds, more than 0. */
  seconds: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Above all UTC offsets in the time zone database. The extremes are Manila, -15:56:08, and Metlakatla, +15:13:42. */
const MAX_OFFSET_MS = 16 * HOUR_MS

interface CachedZone {
  /** The UTC offset at an instant, in milliseconds; positive east of Greenwich. */
  offsetAt(instantMs: number): number
  /** The last result of `localDayAt`: most calls are for today, and computing a day is slow. */
  lastDay: LocalDaySpan | null
}

/**
 * Cache of time zones by name, which evicts the oldest entry (FIFO). Creating a formatter costs forty times a use of it. The
 * limit protects the memory against callers that try all spellings of a name.
 */
const zoneCache = new Map<string, CachedZone>()
const MAX_CACHED_ZONES = 100

/**
 * Whether the text names a time zone of the IANA database that this runtime knows, in any letter case, or is a fixed UTC offset such
 * as +02:00, which has no clock changes.
 */
export function isTimeZone(text: string): boolean {
  // Some runtimes also accept "+02" and "+0200".
  if (!/^[A-Za-z]/.test(text) && !UTC_OFFSET.test(text)) return false
  try {
    zoneOf(text)
    return true
  } catch {
    return false
  }
}

/**
 * The local date at an instant, as YYYY-MM-DD, for the years 1 to 9999.
 * Throws a RangeError for a time zone that `isTimeZone` refuses.
 */
export function localDateOf(instant: Date, timeZone: string): string {
  return isoDate(instant.getTime() + offsetMs(instant.getTime(), timeZone))
}

/**
 * The local time at an instant with its UTC offset (ISO 8601), such as 2026-10-25T02:30:00+02:00. So the two instants of a repeated
 * hour differ. Throws a RangeError for a time zone that `isTimeZone` refuses.
 */
export function localTimeOf(instant: Date, timeZone: string): string {
  const offset = offsetMs(instant.getTime(), timeZone)
  const hoursAndMinutes = new Date(Math.abs(offset)).toISOString().slice(11, 16)
  const wallClock = new Date(instant.getTime() + offset).toISOString().slice(0, 19)
  return `${wallClock}${offset < 0 ? '-' : '+'}${hoursAndMinutes}`
}

/**
 * The first instant at which the local date is the given one (YYYY-MM-DD) or a later one.
 *
 *     Berlin, clocks forward     | 22 23 | 00 01 03 04          midnight is as on any other day
 *                                        ^
 *     Havana, clocks back        | 22 23 | 00 00 01 02          midnight comes twice: the first one
 *                                        ^
 *     Santiago, clocks forward   | 22 23 | 01 02 03             midnight never comes: the moment of the change
 *                                        ^
 *     Apia, 30 Dec 2011          | 29th 22 23 | 31st 00 01      the date never comes: the start of the 31st
 *                                             ^
 */
export function startOfLocalDay(date: string, timeZone: string): Date {
  return firstAtLocalTime(date, 0, timeZone)
}

/** The same for a time of day, in minutes since midnight: the first instant at which the clock shows it, or a later time or date. */
export function firstAtLocalTime(date: string, minutes: number, timeZone: string): Date {
  const wallClock = Date.parse(date) + minutes * 60_000
  const before = wallClock - MAX_OFFSET_MS
  const after = wallClock + MAX_OFFSET_MS
  const offsetBefore = offsetMs(before, timeZone)
  const offsetAfter = offsetMs(after, timeZone)
  if (offsetBefore === offsetAfter) return new Date(wallClock - offsetBefore)

  const change = offsetChange(before, after, timeZone)
  const byOldClock = wallClock - offsetBefore
  if (byOldClock < change) return new Date(byOldClock)
  return new Date(Math.max(change, wallClock - offsetAfter))
}

/**
 * The local day that contains an instant. Each instant is in exactly one day, and each day starts where the previous one ends.
 *
 * If clocks were set back across midnight after the new date had begun, the new day does not end:
 *
 *     St John's, 7 Nov 2010      Sat 23:59 | Sun 00:00  Sat 23:01 ... Sat 23:59  Sun 00:00 ...
 *                                          | Sunday, one minute and an hour before its second midnight
 */
export function localDayAt(instant: Date, timeZone: string): LocalDaySpan {
  const zone = zoneOf(timeZone)
  const { lastDay } = zone
  if (lastDay && lastDay.startsAt <= instant && instant < lastDay.endsAt) return lastDay
  zone.lastDay = findLocalDay(instant, timeZone)
  return zone.lastDay
}

function findLocalDay(instant: Date, timeZone: string): LocalDaySpan {
  let date = localDateOf(instant, timeZone)
  let endsAt = startOfLocalDay(dateAfter(date), timeZone)
  while (endsAt <= instant) {
    date = dateAfter(date)
    endsAt = startOfLocalDay(dateAfter(date), timeZone)
  }
  return { date, dayOfWeek: new Date(date).getUTCDay(), startsAt: startOfLocalDay(date, timeZone), endsAt }
}

/**
 * The local week, Monday to Sunday, that contains an instant. A date that the zone skipped (Apia, 30 Dec 2011) is included as
 * an empty day.
 *
 *     now               Th
 *     week    Mo Tu We [Th] Fr Sa Su
 */
export function localWeekAt(instant: Date, timeZone: string): LocalDaySpan[] {
  return localWeekFrom(mondayAt(instant, timeZone), timeZone)
}

/** The date of the Monday of that week. */
export function mondayAt(instant: Date, timeZone: string): string {
  const { date, dayOfWeek } = localDayAt(instant, timeZone)
  return dateAfter(date, -((dayOfWeek + 6) % 7))
}

/** The local week, Monday to Sunday, that begins on the date of a Monday. */
export function localWeekFrom(monday: string, timeZone: string): LocalDaySpan[] {
  return Array.from({ length: 7 }, (_, day) => {
    const date = dateAfter(monday, day)
    return {
      date,
      dayOfWeek: new Date(date).getUTCDay(),
      startsAt: startOfLocalDay(date, timeZone),
      endsAt: startOfLocalDay(dateAfter(date), timeZone),
    }
  })
}

/**
 * Splits a session at the local midnights of its time zone, in chronological order.
 *
 *     before    23:50 [==============================] 00:10
 *     after     23:50 [====== 10 min] | [====== 10 min] 00:10
 *                          Monday     |      Tuesday
 *
 *     A night of 25 hours (Berlin, 25 Oct 2026): the repeated hour counts twice, since two hours pass.
 *     before    Sat 23:00 [== 1 h ==== 00 == 01 == 02 == 02 == 03 == 04 ==] Sun 05:00
 *     after     Sat 23:00 [== 1 h ==] | [============ 6 h ===============] Sun 05:00
 *
 * Both instants are whole seconds (`wholeSecond`), so the parts add up to the length exactly. No part is empty: an empty
 * session has none. The time zone is that of the start, even if the person has travelled since.
 */
export function splitByDay(session: { startedAt: Date; endedAt: Date; timeZone: string }): DayPart[] {
  const parts: DayPart[] = []
  let from = session.startedAt
  while (from < session.endedAt) {
    const day = localDayAt(from, session.timeZone)
    const to = day.endsAt < session.endedAt ? day.endsAt : session.endedAt
    parts.push({ date: day.date, seconds: (to.getTime() - from.getTime()) / 1000 })
    from = to
  }
  return parts
}

/** Binary search for the first instant of the new offset between two instants with one change. Changes are on whole seconds. */
function offsetChange(before: number, after: number, timeZone: string): number {
  const oldOffset = offsetMs(before, timeZone)
  let lastOld = before / 1000
  let firstNew = after / 1000
  while (firstNew - lastOld > 1) {
    const middle = Math.floor((lastOld + firstNew) / 2)
    if (offsetMs(middle * 1000, timeZone) === oldOffset) lastOld = middle
    else firstNew = middle
  }
  return firstNew * 1000
}

function offsetMs(instantMs: number, timeZone: string): number {
  return zoneOf(timeZone).offsetAt(instantMs)
}

const OFFSET = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/

/** The milliseconds of a UTC offset that a pattern has found; 0 for none. */
function fromMatch([, sign, hours, minutes, seconds]: readonly (string | undefined)[]): number {
  if (hours === undefined) return 0
  const size = Number(hours) * HOUR_MS + Number(minutes) * 60_000 + Number(seconds ?? 0) * 1000
  return sign === '-' ? -size : size
}

function offsetsOf(timeZone: string): CachedZone['offsetAt'] {
  const fixed = UTC_OFFSET.exec(timeZone)
  // Node 20 and older browsers do not know fixed offsets.
  if (fixed) {
    const offset = fromMatch(fixed)
    return () => offset
  }
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  // The formatter writes "8/1/2026, GMT+02:00", for UTC "GMT" or "GMT+00:00", and seconds for some historical offsets.
  // Parsing this is three times as fast as formatToParts, and independent of eras and number systems.
  return (instantMs) => fromMatch(OFFSET.exec(format.format(instantMs)) ?? [])
}

/** The cached zone. Throws a RangeError for an unknown name. */
function zoneOf(timeZone: string): CachedZone {
  const cached = zoneCache.get(timeZone)
  if (cached) return cached

  const zone = { offsetAt: offsetsOf(timeZone), lastDay: null }
  const [oldest] = zoneCache.keys()
  if (oldest !== undefined && zoneCache.size >= MAX_CACHED_ZONES) zoneCache.delete(oldest)
  zoneCache.set(timeZone, zone)
  return zone
}

/** The date a number of days later, or earlier if negative. */
export function dateAfter(date: string, days = 1): string {
  return isoDate(Date.parse(date) + days * DAY_MS)
}

function isoDate(wallClockMs: number): string {
  return new Date(wallClockMs).toISOString().slice(0, 10)
}
