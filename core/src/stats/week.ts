import type { FocusSession } from '../focus/api.ts'
import { secondsWithin } from '../focus/session.ts'
import type { FocusDay } from './api.ts'
import { hoursAndMinutes } from './ring.ts'

/** What a day is shown as: its whole minutes, and the goal it is judged by. */
export interface DayInMinutes {
  minutes: number
  goalMinutes: number
}

/** A day's seconds: what is saved, and the part of the open session that lies in it until `now`. */
export function trackedSeconds(day: FocusDay, openSession: FocusSession | null, now: Date): number {
  if (!openSession) return day.savedSeconds
  const span = { startsAt: new Date(day.startsAt), endsAt: new Date(day.endsAt) }
  return day.savedSeconds + secondsWithin(new Date(openSession.startedAt), now, span)
}

/** Seconds as they are shown: no minute counts before it is over. */
export function wholeMinutes(seconds: number): number {
  return Math.floor(seconds / 60)
}

/** A week's minutes and goal. It adds up what its days show, so that anybody can check it in their head. */
export function sumOfDays(days: readonly DayInMinutes[]): DayInMinutes {
  return days.reduce(
    (sum, day) => ({ minutes: sum.minutes + day.minutes, goalMinutes: sum.goalMinutes + day.goalMinutes }),
    { minutes: 0, goalMinutes: 0 },
  )
}

/** What a bar of the week's chart says: `Tuesday 7h 10m of 6h 0m`. */
export function barLabel(dayName: string, { minutes, goalMinutes }: DayInMinutes): string {
  return `${dayName} ${hoursAndMinutes(minutes)} of ${hoursAndMinutes(goalMinutes)}`
}
