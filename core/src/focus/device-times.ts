import type { DeviceTimes } from './api.ts'
import { wholeSecond } from './session.ts'

/** A change that is older is not taken any more. Deleted sessions keep their ids for longer, so that no repeat revives one. */
export const REPLAY_WINDOW_DAYS = 7

/** How far into the future a device may put something before it is not believed. */
const MAX_AHEAD_MS = 2 * 60_000

const DAY_MS = 24 * 3_600_000

/**
 * The second of the server's clock at which something happened that a device tells of. Its clock may be wrong by any
 * amount: what counts is how long ago it says it was.
 *
 *     device    actedAt |------ 2 h ------| sentAt
 *     server       act  |------ 2 h ------| now
 *
 * An act a little ahead of now, as when the clock was put right between the two, happens now.
 */
export function instantOf(times: DeviceTimes | undefined, now: Date): Date | 'too_late' | 'ahead_of_time' {
  const agoMs = times ? Date.parse(times.sentAt) - Date.parse(times.actedAt) : 0
  if (agoMs < -MAX_AHEAD_MS) return 'ahead_of_time'
  if (agoMs > REPLAY_WINDOW_DAYS * DAY_MS) return 'too_late'
  return wholeSecond(new Date(now.getTime() - Math.max(0, agoMs)))
}
