import * as texts from '@deeb/texts/home'

export type FocusStatus = 'get deeb' | 'on track' | 'over performer'

/**
 * The status under the ring, from the day's whole minutes. It is 'get deeb' below one minute even if the goal is 0, so that no
 * time is never 'over performer'.
 */
export function dailyStatus(minutes: number, goalMinutes: number): FocusStatus {
  if (minutes < 1) return 'get deeb'
  return minutes < goalMinutes ? 'on track' : 'over performer'
}

const TEXTS: Record<FocusStatus, () => string> = {
  'get deeb': texts.getDeeb,
  'on track': texts.onTrack,
  'over performer': texts.overPerformer,
}

/** The status as the screen shows it. */
export function statusText(status: FocusStatus): string {
  return TEXTS[status]()
}

/** The whole percentage of the goal, which can be above 100; null for goal 0. */
export function percentOf(minutes: number, goalMinutes: number): number | null {
  if (goalMinutes === 0) return null
  return Math.round((100 * minutes) / goalMinutes)
}
