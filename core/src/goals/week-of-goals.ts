import type { DailyGoal } from './api.ts'

/** What a day without a saved goal counts on Home, and what `Skip (1h daily)` saves. */
export const HOME_DEFAULT_GOAL_MINUTES = 60

/** A goal of the whole day. */
export const MOST_GOAL_MINUTES = 24 * 60

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
