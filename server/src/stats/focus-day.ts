import type { LocalDaySpan } from '@deeb/core/focus/split-by-day'
import type { FocusDay } from '@deeb/core/stats/api'

/** A local day in the shape of the API. */
export function focusDay({ date, dayOfWeek, startsAt, endsAt }: LocalDaySpan, savedSeconds: number): FocusDay {
  return { date, dayOfWeek, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), savedSeconds }
}
