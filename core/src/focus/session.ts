/** An open session is closed at this age, whoever forgot it. */
export const MAX_SESSION_HOURS = 16

/** Sessions begin and end on whole seconds, so that their parts add up: the second that an instant lies in. */
export function wholeSecond(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1000) * 1000)
}

/** Whole seconds from the start until now. 0 while a clock that runs behind still puts the start into the future. */
export function elapsedSeconds(startedAt: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - startedAt.getTime()) / 1000))
}

/**
 * Whole seconds of an open session that fall into one local day.
 *
 *     session      23:50 [==========|====> now 00:05
 *     that day               10 min |
 *     this day                      | 5 min
 */
export function secondsWithin(startedAt: Date, now: Date, day: { startsAt: Date; endsAt: Date }): number {
  const from = startedAt > day.startsAt ? startedAt : day.startsAt
  const to = now < day.endsAt ? now : day.endsAt
  return elapsedSeconds(from, to)
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
