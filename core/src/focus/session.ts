/** An open session is closed at this age, whoever forgot it. */
export const MAX_SESSION_HOURS = 16

/** On one local date. Nobody who means it starts more. */
export const MAX_SESSIONS_PER_DAY = 300

/** Sessions begin and end on whole seconds, so that their parts add up: the second that an instant lies in. */
export function wholeSecond(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1000) * 1000)
}

/**
 * Whole seconds of an open session until now: 0 while a clock that runs behind still puts the start into the future, and
 * no more than 16 hours, at which it is ended.
 */
export function elapsedSeconds(startedAt: Date, now: Date): number {
  const seconds = Math.floor((now.getTime() - startedAt.getTime()) / 1000)
  return Math.min(Math.max(0, seconds), MAX_SESSION_HOURS * 3600)
}

/** When an open session is ended at the latest. */
export function capOf(startedAt: Date): Date {
  return new Date(startedAt.getTime() + MAX_SESSION_HOURS * 3_600_000)
}

/**
 * Whole seconds of an open session that fall into one local day.
 *
 *     session      23:50 [==========|====> now 00:05
 *     that day               10 min |
 *     this day                      | 5 min
 */
export function secondsWithin(startedAt: Date, now: Date, day: { startsAt: Date; endsAt: Date }): number {
  const from = Math.max(startedAt.getTime(), day.startsAt.getTime())
  const to = Math.min(now.getTime(), day.endsAt.getTime(), capOf(startedAt).getTime())
  return Math.max(0, Math.floor((to - from) / 1000))
}

/** `H:MM:SS` of whole seconds, never negative: `0:00:00`, `12:03:09`. Hours are not wrapped at a day. */
export function formatClock(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return [hours, twoDigits(minutes), twoDigits(seconds % 60)].join(':')
}

function twoDigits(figure: number): string {
  return String(figure).padStart(2, '0')
}
