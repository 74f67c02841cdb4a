import type { DailyGoal } from './api.ts'

/** What a day without a saved goal counts on Home, and what `Skip (1h daily)` saves. */
export const HOME_DEFAULT_GOAL_MINUTES = 60

/** What a day without a saved goal counts in the week's chart. */
export const CHART_DEFAULT_GOAL_MINUTES = 240

/** What the goal settings show while there is no saved goal. */
export const SETTINGS_DEFAULT_GOAL_MINUTES = 8 * 60

/** A goal of the whole day. */
export const MAX_GOAL_MINUTES = 24 * 60

/** The week as people here read it, from Monday. `dayOfWeek` keeps the numbers of the database: 0 = Sunday to 6 = Saturday. */
export const WEEK_FROM_MONDAY = [
  { dayOfWeek: 1, name: 'Monday', shortName: 'Mo' },
  { dayOfWeek: 2, name: 'Tuesday', shortName: 'Tu' },
  { dayOfWeek: 3, name: 'Wednesday', shortName: 'We' },
  { dayOfWeek: 4, name: 'Thursday', shortName: 'Th' },
  { dayOfWeek: 5, name: 'Friday', shortName: 'Fr' },
  { dayOfWeek: 6, name: 'Saturday', shortName: 'Sa' },
  { dayOfWeek: 0, name: 'Sunday', shortName: 'Su' },
] as const

/** The goal of one day in minutes; the fallback where the person has saved none for it. A saved 0 is a goal of 0. */
export function goalMinutesOn(goals: readonly DailyGoal[], dayOfWeek: number, fallbackMinutes: number): number {
  return goals.find((goal) => goal.dayOfWeek === dayOfWeek)?.goalMinutes ?? fallbackMinutes
}

/** The same goal on all seven days, Monday first. */
export function everyDay(goalMinutes: number): DailyGoal[] {
  return WEEK_FROM_MONDAY.map(({ dayOfWeek }) => ({ dayOfWeek, goalMinutes }))
}

/** The minutes wheel of the goal settings goes in steps of this. */
export const WHEEL_STEP_MINUTES = 5

/**
 * Where the two wheels stand for a goal: at the nearest step they have, 23h 55m at most. The goal itself stays what it is
 * until a wheel is moved: 7h 58m stands at 8h 0m, 24h 0m at 23h 55m.
 */
export function nearestOnWheels(goalMinutes: number): { hours: number; minutes: number } {
  const nearest = Math.round(goalMinutes / WHEEL_STEP_MINUTES) * WHEEL_STEP_MINUTES
  const shown = Math.min(nearest, MAX_GOAL_MINUTES - WHEEL_STEP_MINUTES)
  return { hours: Math.floor(shown / 60), minutes: shown % 60 }
}
