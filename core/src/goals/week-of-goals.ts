import * as v from 'valibot'
import { Int } from '../formats.ts'

/** The goal on Home of a day without a saved goal, and the goal that `Skip (1h daily)` saves. */
export const HOME_DEFAULT_GOAL_MINUTES = 60

/** The goal in the week's chart of a day without a saved goal. */
export const CHART_DEFAULT_GOAL_MINUTES = 240

/** The goal in the goal settings while no goal is saved. */
export const SETTINGS_DEFAULT_GOAL_MINUTES = 8 * 60

/** 24 hours. */
export const MAX_GOAL_MINUTES = 24 * 60

/** 0 = Sunday to 6 = Saturday. */
export const DayOfWeek = v.pipe(Int, v.minValue(0), v.maxValue(6))

export const DailyGoal = v.object({
  dayOfWeek: DayOfWeek,
  goalMinutes: v.pipe(Int, v.minValue(0), v.maxValue(MAX_GOAL_MINUTES)),
})
export type DailyGoal = v.InferOutput<typeof DailyGoal>

/** The days of the week in the order of the screens. They are as in the database: 0 = Sunday to 6 = Saturday. */
export const WEEK_FROM_MONDAY = [1, 2, 3, 4, 5, 6, 0] as const

/** The goal of one day in minutes, or the fallback if none is saved. A saved 0 is a goal of 0. */
export function goalMinutesOn(goals: readonly DailyGoal[], dayOfWeek: number, fallbackMinutes: number): number {
  return goals.find((goal) => goal.dayOfWeek === dayOfWeek)?.goalMinutes ?? fallbackMinutes
}

/** The same goal on all seven days, Monday first. */
export function everyDay(goalMinutes: number): DailyGoal[] {
  return WEEK_FROM_MONDAY.map((dayOfWeek) => ({ dayOfWeek, goalMinutes }))
}

/** Step of the minutes wheel in the goal settings. */
export const WHEEL_STEP_MINUTES = 5

/**
 * The position of the two wheels for a goal: the nearest step, 23h 55m at most. 7h 58m is shown as 8h 0m, 24h 0m as 23h 55m.
 * The goal changes only when a wheel is moved.
 */
export function nearestOnWheels(goalMinutes: number): { hours: number; minutes: number } {
  const nearest = Math.round(goalMinutes / WHEEL_STEP_MINUTES) * WHEEL_STEP_MINUTES
  const shown = Math.min(nearest, MAX_GOAL_MINUTES - WHEEL_STEP_MINUTES)
  return { hours: Math.floor(shown / 60), minutes: shown % 60 }
}
