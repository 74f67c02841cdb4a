import { type LocalDaySpan, localDayAt } from '@deeb/core/focus/split-by-day'
import type { Random } from './random.ts'

const MINUTE_MS = 60_000

export interface PastSession {
  startedAt: Date
  endedAt: Date
}

/**
 * Generates the focus sessions of a demo user for the weeks before now: one to four per working day, some days off, shorter
 * Fridays, few weekends. They are in order and do not overlap, and the last one ended at least five minutes ago.
 */
export function generateHistory(random: Random, { weeks, timeZone, now }: HistoryFrame): PastSession[] {
  const sessions: PastSession[] = []
  /** Minute of the day at which this user usually starts. */
  const begins = random.between(7 * 60 + 30, 9 * 60 + 30)
  for (const day of daysUntil(now, weeks * 7, timeZone)) {
    const isWeekend = day.dayOfWeek === 0 || day.dayOfWeek === 6
    if (isWeekend ? !random.oneIn(9) : random.oneIn(12)) continue
    const max = isWeekend ? 1 : day.dayOfWeek === 5 ? 3 : 4
    let minute = begins + random.between(0, 45)
    for (let n = random.between(1, max); n > 0; n--) {
      const startedAt = new Date(day.startsAt.getTime() + minute * MINUTE_MS + random.between(0, 59) * 1000)
      minute += random.between(35, 115)
      const endedAt = new Date(day.startsAt.getTime() + minute * MINUTE_MS + random.between(0, 59) * 1000)
      minute += random.between(15, 80)
      if (endedAt.getTime() < now.getTime() - 5 * MINUTE_MS) sessions.push({ startedAt, endedAt })
    }
  }
  return sessions
}

/** The last `count` calendar days, today included. Not computed in hours: a day may have 23 or 25. */
function daysUntil(now: Date, count: number, timeZone: string): LocalDaySpan[] {
  const days = [localDayAt(now, timeZone)]
  for (let [day] = days; day && days.length < count; [day] = days) {
    days.unshift(localDayAt(new Date(day.startsAt.getTime() - 1), timeZone))
  }
  return days
}

interface HistoryFrame {
  weeks: number
  timeZone: string
  now: Date
}
