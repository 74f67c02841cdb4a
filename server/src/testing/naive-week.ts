import { dateAt } from '@deeb/core/testing/local-dates'

/*
 * The model of the week for property tests: it looks up the date of each second and counts. It shares no code with the product,
 * which splits at midnight and keeps sums.
 */

export interface RawSession {
  startedAt: Date
  endedAt: Date
  timeZone: string
}

export interface RawWeek {
  ended: RawSession[]
  openSince: Date | null
  /** In chronological order. `minutes` from Sunday to Saturday. */
  saves: { savedAt: Date; savedOn: string; minutes: number[] }[]
}

export interface NaiveDay {
  date: string
  dayOfWeek: number
  startsAt: Date
  endsAt: Date
  savedSeconds: number
  /** Including the part of the open session. */
  minutes: number
  goalMinutes: number
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 24 * 60 * MINUTE_MS

/** The week that is `weeksAgo` before the current one, and the weeks before the current one. */
export function naiveWeek(raw: RawWeek, now: Date, timeZone: string, weeksAgo = 0) {
  const saved = new Map<string, number>()
  for (const { startedAt, endedAt, timeZone: zone } of raw.ended) countSeconds(saved, startedAt, endedAt, zone)
  const tracked = new Map(saved)
  if (raw.openSince) countSeconds(tracked, raw.openSince, new Date(wholeSeconds(now)), timeZone)

  const thisMonday = mondayOf(dateAt(now.getTime(), timeZone))
  const monday = later(thisMonday, -7 * weeksAgo)
  const days = Array.from({ length: 7 }, (_, n) => {
    const date = later(monday, n)
    const [startsAt, endsAt] = [firstMomentOf(date, timeZone), firstMomentOf(later(date, 1), timeZone)]
    const judgedAt = endsAt <= now ? endsAt : null
    return {
      date,
      dayOfWeek: weekdayOf(date),
      startsAt,
      endsAt,
      savedSeconds: saved.get(date) ?? 0,
      minutes: Math.floor((tracked.get(date) ?? 0) / 60),
      goalMinutes: goalBefore(judgedAt, raw.saves, weekdayOf(date)),
    } satisfies NaiveDay
  })

  // The earlier weeks contain ended sessions only.
  const earlier = new Map<string, number>()
  for (const [date, seconds] of saved) {
    const [week, minutes] = [mondayOf(date), Math.floor(seconds / 60)]
    if (week < thisMonday && minutes > 0) earlier.set(week, (earlier.get(week) ?? 0) + minutes)
  }
  const sums = [...earlier.values()]
  const mean = sums.reduce((total, minutes) => total + minutes, 0) / sums.length
  const firstWeek = [...earlier.keys()].sort()[0] ?? null
  const earlierWeeksMinutes = Array.from({ length: 11 }, (_, n) => later(thisMonday, -7 * (11 - n)))
    .filter((week) => firstWeek !== null && week >= firstWeek)
    .map((week) => earlier.get(week) ?? 0)
  const lastWeekMinutes = Array.from({ length: 7 }, (_, n) =>
    Math.floor((saved.get(later(thisMonday, n - 7)) ?? 0) / 60),
  )
  const averageWeekMinutes = sums.length === 0 ? null : Math.round(mean)
  return { days, averageWeekMinutes, firstWeek, earlierWeeksMinutes, lastWeekMinutes }
}

/**
 * The goal of the last save before an instant, or of the last save if the instant is null. Else of the first of all: a date keeps its last
 * save only.
 */
function goalBefore(instant: Date | null, saves: RawWeek['saves'], dayOfWeek: number): number {
  const last = saves.findLast(({ savedAt }) => instant === null || savedAt < instant)
  const kept = [...new Map(saves.map((save) => [save.savedOn, save])).values()]
  const [first] = kept.sort((a, b) => a.savedAt.getTime() - b.savedAt.getTime())
  return (last ?? first)?.minutes[dayOfWeek] ?? 240
}

/** Counts each second to its local date. Ten minutes that start and end on the same date are counted in one step. */
function countSeconds(into: Map<string, number>, from: Date, to: Date, timeZone: string): void {
  const add = (date: string, ms: number) => into.set(date, (into.get(date) ?? 0) + ms / SECOND_MS)
  const end = to.getTime()
  for (let at = from.getTime(); at < end; at += 10 * MINUTE_MS) {
    const next = Math.min(at + 10 * MINUTE_MS, end)
    const date = dateAt(at, timeZone)
    if (date === dateAt(next - SECOND_MS, timeZone)) add(date, next - at)
    else for (let second = at; second < next; second += SECOND_MS) add(dateAt(second, timeZone), SECOND_MS)
  }
}

/** The first minute of the date or, if the zone skipped it, of a later date. */
export function firstMomentOf(date: string, timeZone: string): Date {
  let at = Date.parse(date) - 26 * 60 * MINUTE_MS
  while (dateAt(at, timeZone) < date) at += 15 * MINUTE_MS
  while (dateAt(at - MINUTE_MS, timeZone) >= date) at -= MINUTE_MS
  return new Date(at)
}

export function later(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
}

function mondayOf(date: string): string {
  let monday = date
  while (weekdayOf(monday) !== 1) monday = later(monday, -1)
  return monday
}

function weekdayOf(date: string): number {
  return new Date(date).getUTCDay()
}

function wholeSeconds(instant: Date): number {
  return Math.floor(instant.getTime() / SECOND_MS) * SECOND_MS
}
