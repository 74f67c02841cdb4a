import type { DeviceTimes } from './api.ts'
import { wholeSecond } from './session.ts'

/** Older queued switches are refused. Tombstones of discarded sessions are kept for longer, so no replay revives a session. */
export const REPLAY_WINDOW_DAYS = 7

/** How far `actedAt` may be ahead of `sentAt`. A switch that is further ahead is refused. */
const MAX_AHEAD_MS = 2 * 60_000

const DAY_MS = 24 * 3_600_000

/**
 * The instant of a switch by the server's clock, a whole second, or the error code if the switch is refused. Only the
 * difference of the device's two times counts, so its clock may be wrong by any amount.
 *
 *     device    actedAt |------ 2 h ------| sentAt
 *     server    result  |------ 2 h ------| now
 *
 * A switch up to two minutes ahead counts as now: the device's clock was corrected in between.
 */
export function instantOf(times: DeviceTimes | undefined, now: Date): Date | 'too_late' | 'ahead_of_time' {
  const agoMs = times ? Date.parse(times.sentAt) - Date.parse(times.actedAt) : 0
  if (agoMs < -MAX_AHEAD_MS) return 'ahead_of_time'
  if (agoMs > REPLAY_WINDOW_DAYS * DAY_MS) return 'too_late'
  return wholeSecond(new Date(now.getTime() - Math.max(0, agoMs)))
}
