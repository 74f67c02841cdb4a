/** An open focus session is closed at this age. */
export const MAX_SESSION_HOURS = 16

/** Limit of focus sessions per person and local date, against abuse. */
export const MAX_SESSIONS_PER_DAY = 300

/** How many of them programs may start: the rest is left for the person. */
export const MAX_SESSIONS_PER_DAY_BY_PROGRAMS = 200

/** The highest count of interruptions of a session. */
export const MAX_INTERRUPTIONS = 99

/** Rounds down to a whole second. Sessions start and end on whole seconds, so that their parts add up exactly. */
export function wholeSecond(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1000) * 1000)
}

/**
 * The age of an open session in whole seconds, at most 16 hours. It is 0 if the start is in the future, which a clock
 * that is slow can cause.
 */
export function elapsedSeconds(startedAt: Date, now: Date): number {
  const seconds = Math.floor((now.getTime() - startedAt.getTime()) / 1000)
  return Math.min(Math.max(0, seconds), MAX_SESSION_HOURS * 3600)
}

/** The cap of a session: 16 hours after its start. An open session is closed then, and no session ends later. */
export function capOf(startedAt: Date): Date {
  return new Date(startedAt.getTime() + MAX_SESSION_HOURS * 3_600_000)
}

/**
 * The part of a session until `now` that is inside one local day, in whole seconds. Clipped at 16 hours.
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

/** Formats whole seconds, 0 or more, as `H:MM:SS`: `0:00:00`, `12:03:09`, `100:00:01`. */
export function formatClock(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return [hours, twoDigits(minutes), twoDigits(seconds % 60)].join(':')
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
