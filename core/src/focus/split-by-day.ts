/** One day of a calendar on the wall, as the two instants that bound it. It is 23, 24 or 25 hours long, or otherwise. */
export interface LocalDaySpan {
  /** YYYY-MM-DD */
  readonly date: string
  /** 0 = Sunday to 6 = Saturday. */
  readonly dayOfWeek: number
  /** Belongs to the day. */
  readonly startsAt: Date
  /** The start of the next local day that exists; does not belong to this one. */
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

/** No clock in the time zone database has ever stood further from UTC: Manila had -15:56:08, Metlakatla +15:13:42. */
const WIDEST_OFFSET_MS = 16 * HOUR_MS

interface Zone {
  offsets: Intl.DateTimeFormat
  /** The day that was asked for last. Most ask for today, and finding it takes as long as all else that a read computes. */
  lastDay: LocalDaySpan | null
}

/** Making a formatter costs forty times a use of it; the bound keeps a caller who tries every spelling from filling memory. */
const ZONES_KEPT = 100
const zones = new Map<string, Zone>()

/** Whether the text names a time zone of the IANA database that this runtime knows, in any letter case. */
export function isTimeZone(text: string): boolean {
  // Newer runtimes also take offsets such as "+02:00". An offset knows no clock changes, so it cannot tell tomorrow's midnight.
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    zoneOf(text)
    return true
  } catch {
    return false
  }
}

/**
 * The date on the calendar at an instant, as YYYY-MM-DD, for the years 1 to 9999.
 * Throws a RangeError for a time zone that `isTimeZone` refuses.
 */
export function localDateOf(instant: Date, timeZone: string): string {
  return isoDate(instant.getTime() + offsetMs(instant.getTime(), timeZone))
}

/**
 * The earliest instant at which the calendar shows the given date (YYYY-MM-DD) or a later one.
 *
 *     Berlin, clocks forward     | 22 23 | 00 01 03 04          00:00 is what it always is
 *                                        ^
 *     Havana, clocks back        | 22 23 | 00 00 01 02          midnight comes twice: the first one
 *                                        ^
 *     Santiago, clocks forward   | 22 23 | 01 02 03             midnight never comes: the moment of the change
 *                                        ^
 *     Apia, 30 Dec 2011          | 29th 22 23 | 31st 00 01      the date never comes: the start of the 31st
 *                                             ^
 */
export function startOfLocalDay(date: string, timeZone: string): Date {
  const midnight = Date.parse(date)
  const before = midnight - WIDEST_OFFSET_MS
  const after = midnight + WIDEST_OFFSET_MS
  const offsetBefore = offsetMs(before, timeZone)
  const offsetAfter = offsetMs(after, timeZone)
  if (offsetBefore === offsetAfter) return new Date(midnight - offsetBefore)

  const change = offsetChange(before, after, timeZone)
  const midnightByOldClock = midnight - offsetBefore
  if (midnightByOldClock < change) return new Date(midnightByOldClock)
  return new Date(Math.max(change, midnight - offsetAfter))
}

/**
 * The local day that an instant lies in. Every instant lies in exactly one, and each begins where the last one ended.
 *
 * Where clocks were set back across midnight after the new date had begun, the day stays begun:
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
 * The seven local days from Monday to Sunday round the one that an instant lies in. A date that the zone left out (Apia,
 * 30 Dec 2011) is there, and begins where it ends.
 *
 *     now               Th
 *     week    Mo Tu We [Th] Fr Sa Su
 */
export function localWeekAt(instant: Date, timeZone: string): LocalDaySpan[] {
  const today = localDayAt(instant, timeZone)
  const daysSinceMonday = (today.dayOfWeek + 6) % 7
  return Array.from({ length: 7 }, (_, day) => {
    const date = dateAfter(today.date, day - daysSinceMonday)
    return {
      date,
      dayOfWeek: new Date(date).getUTCDay(),
      startsAt: startOfLocalDay(date, timeZone),
      endsAt: startOfLocalDay(dateAfter(date), timeZone),
    }
  })
}

/**
 * Cuts a session at the local midnights of its time zone, in the order of time.
 *
 *     before    23:50 [==============================] 00:10
 *     after     23:50 [====== 10 min] | [====== 10 min] 00:10
 *                          Monday     |      Tuesday
 *
 *     A night of 25 hours (Berlin, 25 Oct 2026): what the clock repeats counts twice, since it was worked twice.
 *     before    Sat 23:00 [== 1 h ==== 00 == 01 == 02 == 02 == 03 == 04 ==] Sun 05:00
 *     after     Sat 23:00 [== 1 h ==] | [============ 6 h ===============] Sun 05:00
 *
 * Both instants are whole seconds (`wholeSecond`). The parts add up to the length exactly, and none is empty: a session
 * without length has no parts. The zone is the one the session began in, wherever the person has travelled since.
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

/** The first instant of the new offset, where exactly one change lies between the two. Every change falls on a whole second. */
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

/** How far the local clock is ahead of UTC. */
function offsetMs(instantMs: number, timeZone: string): number {
  // The formatter writes "8/1/2026, GMT+02:00", bare "GMT" or "GMT+00:00" for none, and seconds where history had them.
  // Reading the offset is three times as fast as asking for the parts of the date, and free of eras and number systems.
  const [, sign, hours, minutes, seconds] = OFFSET.exec(zoneOf(timeZone).offsets.format(instantMs)) ?? []
  if (hours === undefined) return 0
  const size = Number(hours) * HOUR_MS + Number(minutes) * 60_000 + Number(seconds ?? 0) * 1000
  return sign === '-' ? -size : size
}

const OFFSET = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/

function zoneOf(timeZone: string): Zone {
  const kept = zones.get(timeZone)
  if (kept) return kept

  const offsets = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const zone = { offsets, lastDay: null }
  const [oldest] = zones.keys()
  if (oldest !== undefined && zones.size >= ZONES_KEPT) zones.delete(oldest)
  zones.set(timeZone, zone)
  return zone
}

function dateAfter(date: string, days = 1): string {
  return isoDate(Date.parse(date) + days * DAY_MS)
}

function isoDate(wallClockMs: number): string {
  return new Date(wallClockMs).toISOString().slice(0, 10)
}
