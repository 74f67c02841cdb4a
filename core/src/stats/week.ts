import type { FocusSession } from '../focus/api.ts'
import { secondsWithin } from '../focus/session.ts'
import type { FocusDay } from './api.ts'

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
