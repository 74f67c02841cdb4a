import { localDateOf, localDayAt } from '@deeb/core/focus/split-by-day'

/** What a session keeps of its days: 16 hours touch two local dates at the most, so one boundary is enough. */
export interface DayCut {
  startDate: string
  nextDate: string
  nextDateStartsAt: Date
}

export function dayCut(startedAt: Date, timeZone: string): DayCut {
  const day = localDayAt(startedAt, timeZone)
  return { startDate: day.date, nextDate: localDateOf(day.endsAt, timeZone), nextDateStartsAt: day.endsAt }
}
