/** How full a ring is drawn, both from 0 to 1. */
export interface RingFill {
  /** The ink arc: the part of the goal that is done. */
  progress: number
  /** The green arc: what goes beyond the goal, full at twice the goal. */
  excess: number
}

/** The fill for minutes done (fractions allowed) of a goal. At goal 0 the ring is empty under 1 minute and full from then on. */
export function ringFill(minutes: number, goalMinutes: number): RingFill {
  if (goalMinutes === 0) return { progress: minutes < 1 ? 0 : 1, excess: 0 }
  const done = minutes / goalMinutes
  return { progress: Math.min(done, 1), excess: Math.min(Math.max(0, done - 1), 1) }
}

/**
 * Where the marks inside the ring stand, in degrees clockwise from 12 o'clock: one there, and one at each full hour of the
 * goal before the circle closes. A goal of 4h 30m has five, the last gap half as wide; goal 0 has none.
 */
export function hourMarkAngles(goalMinutes: number): number[] {
  const marks = Math.ceil(goalMinutes / 60)
  return Array.from({ length: marks }, (_, hour) => ((60 * hour) / goalMinutes) * 360)
}

/** The figures in the middle of a ring. `minutes` is null where there is room for the hours only. */
export function ringTime(minutes: number): { hours: number; minutes: number | null } {
  const time = inHours(minutes)
  const hoursOnly = time.hours > 99 || (time.hours > 9 && time.minutes > 0)
  return hoursOnly ? { hours: time.hours, minutes: null } : time
}

/** `3h 43m` of whole minutes, both always there: `0h 0m`. */
export function hoursAndMinutes(minutes: number): string {
  const time = inHours(minutes)
  return `${time.hours}h ${time.minutes}m`
}

/** `3 hours 43 minutes` of whole minutes, for a screen reader, which reads `3h 43m` as letters. */
export function spokenDuration(minutes: number): string {
  const time = inHours(minutes)
  return `${counted(time.hours, 'hour')} ${counted(time.minutes, 'minute')}`
}

function inHours(minutes: number): { hours: number; minutes: number } {
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
