import type { FocusSession } from '../focus/api.ts'
import { secondsWithin } from '../focus/session.ts'
import type { FocusDay } from './api.ts'
import { hoursAndMinutes } from './ring.ts'

/** The whole minutes of a day and its goal. */
export interface DayInMinutes {
  minutes: number
  goalMinutes: number
}

/** The seconds of a day: the saved time, and the part of the open session until `now` that is inside the day. */
export function trackedSeconds(day: FocusDay, openSession: FocusSession | null, now: Date): number {
  if (!openSession) return day.savedSeconds
  const span = { startsAt: new Date(day.startsAt), endsAt: new Date(day.endsAt) }
  return day.savedSeconds + secondsWithin(new Date(openSession.startedAt), now, span)
}

/** Seconds rounded down to whole minutes. */
export function wholeMinutes(seconds: number): number {
  return Math.floor(seconds / 60)
}

/** The minutes and goal of a week: the sum of the whole minutes of its days, as the screen shows them. */
export function sumOfDays(days: readonly DayInMinutes[]): DayInMinutes {
  return days.reduce(
    (sum, day) => ({ minutes: sum.minutes + day.minutes, goalMinutes: sum.goalMinutes + day.goalMinutes }),
    { minutes: 0, goalMinutes: 0 },
  )
}

/** The label of a bar in the week's chart: `Tuesday 7h 10m of 6h 0m`. */
export function barLabel(dayName: string, { minutes, goalMinutes }: DayInMinutes): string {
  return `${dayName} ${hoursAndMinutes(minutes)} of ${hoursAndMinutes(goalMinutes)}`
}
