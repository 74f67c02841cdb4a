import type { Span } from '@deeb/core/focus/history'
import { localDateOf, localDayAt } from '@deeb/core/focus/split-by-day'

/** The local dates of a focus session and the midnight between them. 16 hours touch at most two dates, so one is enough. */
export interface DayCut {
  startDate: string
  nextDate: string
  nextDateStartsAt: Date
}

export const CUT_COLUMNS =
  'start_date as "startDate", next_date as "nextDate", next_date_starts_at as "nextDateStartsAt"'

export function dayCut(startedAt: Date, timeZone: string): DayCut {
  const day = localDayAt(startedAt, timeZone)
  return { startDate: day.date, nextDate: localDateOf(day.endsAt, timeZone), nextDateStartsAt: day.endsAt }
}

/** The seconds of a session on each of its dates. Uses the stored midnight: time-zone rules may have changed since. */
export function secondsByDate({ startedAt, endedAt, startDate, nextDate, nextDateStartsAt }: Span & DayCut) {
  const cut = endedAt < nextDateStartsAt ? endedAt : nextDateStartsAt
  return [
    { date: startDate, seconds: (cut.getTime() - startedAt.getTime()) / 1000 },
    { date: nextDate, seconds: (endedAt.getTime() - cut.getTime()) / 1000 },
  ].filter(({ seconds }) => seconds > 0)
}
