import * as texts from '@deeb/texts/home'

/** The arcs of a ring, each from 0 to 1. */
export interface RingFill {
  /** The ink-colored arc: the reached part of the goal. */
  progress: number
  /** The green arc: the part beyond the goal, full at twice the goal. */
  excess: number
}

/** The arcs for minutes (fractions allowed) of a goal. With goal 0 the ring is empty below 1 minute and full from 1 minute. */
export function ringFill(minutes: number, goalMinutes: number): RingFill {
  if (goalMinutes === 0) return { progress: minutes < 1 ? 0 : 1, excess: 0 }
  const done = minutes / goalMinutes
  return { progress: Math.min(done, 1), excess: Math.min(Math.max(0, done - 1), 1) }
}

/**
 * The angles of the hour marks inside the ring, in degrees clockwise from 12 o'clock: 0, and one per full hour of the goal below
 * 360. A goal of 4h 30m has five marks, and the last gap is half as wide. Goal 0 has none.
 */
export function hourMarkAngles(goalMinutes: number): number[] {
  const marks = Math.ceil(goalMinutes / 60)
  return Array.from({ length: marks }, (_, hour) => ((60 * hour) / goalMinutes) * 360)
}

/** The text in the middle of a ring. `minutes` is null if there is room for the hours only. */
export function ringTime(minutes: number): { hours: number; minutes: number | null } {
  const time = inHours(minutes)
  const hoursOnly = time.hours > 99 || (time.hours > 9 && time.minutes > 0)
  return hoursOnly ? { hours: time.hours, minutes: null } : time
}

/** Formats whole minutes as `3h 43m`, always with both parts: `0h 0m`. For a figure by itself; see lengthText(). */
export function hoursAndMinutes(minutes: number): string {
  const time = inHours(minutes)
  return `${time.hours}h ${time.minutes}m`
}

/** Formats whole minutes for a sentence, without a part that is 0: `3h 43m`, `3h`, `43m`. Does not wrap. */
export function lengthText(minutes: number): string {
  if (minutes < 60) return `${minutes}m`
  return minutes % 60 === 0 ? `${minutes / 60}h` : hoursAndMinutes(minutes).replace(' ', '\u00a0')
}

/**
 * The text after a session: its length and the day's percentage of the goal, or the day's minutes without a goal.
 *
 *     1h 12m. 84% of today.      25m. 9% of today.      34s. 2h 5m today.
 */
export function endedText(seconds: number, dayMinutes: number, percent: number | null): string {
  const minutes = Math.floor(seconds / 60)
  const length = seconds < 60 ? `${seconds}s` : lengthText(minutes)
  return percent === null
    ? texts.endedWithoutGoal({ length, time: lengthText(dayMinutes) })
    : texts.ended({ length, percent })
}

/** Formats whole minutes as `3 hours 43 minutes` for screen readers, which read `3h 43m` as letters. */
export function spokenDuration(minutes: number): string {
  const time = inHours(minutes)
  return texts.spokenDuration({
    hours: texts.spokenHours({ count: time.hours }),
    minutes: texts.spokenMinutes({ count: time.minutes }),
  })
}

function inHours(minutes: number): { hours: number; minutes: number } {
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 }
}
