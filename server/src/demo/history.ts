import { type LocalDaySpan, localDayAt } from '@deeb/core/focus/split-by-day'
import type { Dice } from './random.ts'

const MINUTE_MS = 60_000

export interface PastSession {
  startedAt: Date
  endedAt: Date
}

/**
 * What a person of the demo has done in the weeks before now: working days with one to four sessions, a day off now and
 * then, shorter Fridays, hardly a weekend. In the order of time, none overlapping, none later than a few minutes ago.
 */
export function believableHistory(dice: Dice, { weeks, timeZone, now }: HistoryFrame): PastSession[] {
  const sessions: PastSession[] = []
  /** Early birds and others. */
  const begins = dice.between(7 * 60 + 30, 9 * 60 + 30)
  for (const day of daysUntil(now, weeks * 7, timeZone)) {
    const isWeekend = day.dayOfWeek === 0 || day.dayOfWeek === 6
    if (isWeekend ? !dice.onceIn(9) : dice.onceIn(12)) continue
    const most = isWeekend ? 1 : day.dayOfWeek === 5 ? 3 : 4
    let minute = begins + dice.between(0, 45)
    for (let n = dice.between(1, most); n > 0; n--) {
      const startedAt = new Date(day.startsAt.getTime() + minute * MINUTE_MS + dice.between(0, 59) * 1000)
      minute += dice.between(35, 115)
      const endedAt = new Date(day.startsAt.getTime() + minute * MINUTE_MS + dice.between(0, 59) * 1000)
      minute += dice.between(15, 80)
      if (endedAt.getTime() < now.getTime() - 5 * MINUTE_MS) sessions.push({ startedAt, endedAt })
    }
  }
  return sessions
}

/** The calendar's last days, today being the last. Not now minus so many hours: a day has 23 or 25 of them, too. */
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
