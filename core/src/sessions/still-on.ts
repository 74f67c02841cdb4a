import type { StillOnCause } from './api.ts'

/** A session that no device of its user was touched in for this long may be forgotten. */
export const UNTOUCHED_HOURS = 4
const UNTOUCHED_MS = UNTOUCHED_HOURS * 3_600_000

/** Somebody who touched a device this recently knows that deeb mode is on. */
const RECENT_MS = 30 * 60_000

export interface OpenSession {
  startedAt: Date
  /** The last touch of any device, at least `startedAt`. */
  lastTouchAt: Date
  /** The time at which the target of the session is reached. Null without one. */
  until: Date | null
  /** The time at which the user's day usually ends. Null without enough earlier days. */
  usualEndAt: Date | null
  /** The causes for which the user has answered already. */
  answers: readonly StillOnCause[]
}

/**
 * The reason to ask "Still in deeb mode?", or null. Once per cause and session: a cause that was answered is none again.
 *
 *     touch            4 h            now
 *       |---------------|--------------|      untouched, unless a target is ahead
 *     touch   30 min
 *       |--------|----- usual end -----|      usual_end, also if somebody touched a device in the hours before
 */
export function stillOnCause(
  { startedAt, lastTouchAt, until, usualEndAt, answers }: OpenSession,
  now: Date,
): StillOnCause | null {
  const untouchedMs = now.getTime() - lastTouchAt.getTime()
  const isPastUsualEnd = usualEndAt !== null && usualEndAt > startedAt && now >= usualEndAt
  if (isPastUsualEnd && untouchedMs >= RECENT_MS && !answers.includes('usual_end')) return 'usual_end'
  const isPlanned = until !== null && until > now
  if (untouchedMs >= UNTOUCHED_MS && !isPlanned && !answers.includes('untouched')) return 'untouched'
  return null
}
