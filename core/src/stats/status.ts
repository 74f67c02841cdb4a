export type FocusStatus = 'get deeb' | 'on track' | 'over performer'

/**
 * The word under the ring, from the day's whole minutes. The first minute decides before the goal does, so on a day with
 * goal 0 nobody is an over performer for having done nothing.
 */
export function dailyStatus(minutes: number, goalMinutes: number): FocusStatus {
  if (minutes < 1) return 'get deeb'
  return minutes < goalMinutes ? 'on track' : 'over performer'
}

/** Under an hour, a week has not begun. */
const WEEK_BEGINS_AT_MINUTES = 60

/** The word over the week's chart, from the week's whole minutes and the sum of its goals. */
export function weeklyStatus(minutes: number, goalMinutes: number): FocusStatus {
  if (minutes < WEEK_BEGINS_AT_MINUTES) return 'get deeb'
  return minutes < goalMinutes ? 'on track' : 'over performer'
}

/** Whole per cent of the goal, not capped at 100; null for goal 0, of which there is no percentage. */
export function percentOf(minutes: number, goalMinutes: number): number | null {
  if (goalMinutes === 0) return null
  return Math.round((100 * minutes) / goalMinutes)
}
