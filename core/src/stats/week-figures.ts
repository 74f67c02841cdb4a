import * as texts from '@deeb/texts/stats'
import { hoursAndMinutes } from './ring.ts'
import type { FocusStatus } from './status.ts'

/** The whole minutes of a day and its goal. */
export interface DayInMinutes {
  minutes: number
  goalMinutes: number
}

/** The minutes and goal of a week: the sum of the whole minutes of its days, as the screen shows them. */
export function sumOfDays(days: readonly DayInMinutes[]): DayInMinutes {
  return days.reduce(
    (sum, day) => ({ minutes: sum.minutes + day.minutes, goalMinutes: sum.goalMinutes + day.goalMinutes }),
    { minutes: 0, goalMinutes: 0 },
  )
}

/** Below this a week is still 'get deeb'. */
const MIN_WEEK_MINUTES = 60

/** The status above the week's chart, from the week's whole minutes and the sum of its goals. */
export function weeklyStatus(minutes: number, goalMinutes: number): FocusStatus {
  if (minutes < MIN_WEEK_MINUTES) return 'get deeb'
  return minutes < goalMinutes ? 'on track' : 'over performer'
}

/** The label of a bar in the week's chart: `Tuesday 7h 10m of 6h 0m`, with `, last week 5h 20m` if that is drawn too. */
export function barLabel(dayName: string, { minutes, goalMinutes }: DayInMinutes, lastWeekMinutes = 0): string {
  const bar = { day: dayName, time: hoursAndMinutes(minutes), goal: hoursAndMinutes(goalMinutes) }
  return lastWeekMinutes > 0
    ? texts.barWithLastWeek({ ...bar, lastWeek: hoursAndMinutes(lastWeekMinutes) })
    : texts.bar(bar)
}

/**
 * The minutes of last week that the chart shows on a day of this week, pale: on a day without a minute, while the day is not
 * over or the whole week has none.
 */
export function paleMinutes(
  day: { minutes: number; isOver: boolean },
  { weekMinutes, lastWeekMinutes }: { weekMinutes: number; lastWeekMinutes: number },
): number {
  return day.minutes === 0 && (!day.isOver || weekMinutes === 0) ? lastWeekMinutes : 0
}
