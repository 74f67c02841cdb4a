import { MAX_SESSION_HOURS } from './session.ts'

/** How long after its end a session can be corrected, and how far back it can be moved. */
export const CORRECTABLE_DAYS = 7

const HOUR_MS = 3_600_000

export type CorrectionFault = 'ends before it starts' | 'ends in the future' | 'is too long' | 'starts too early'

/**
 * What is wrong with the times that a person gives a session; null if nothing is. A start that was not moved back may lie
 * further back than one may be moved to: a forgotten session can be answered for after a month.
 *
 *          7 days                    now
 *     ------|-------------------------|------
 *      x [==|====]                    |         starts too early, unless it did before
 *           |                     [===|==] x    ends in the future
 */
export function correctionFault(
  { startedAt, endedAt, isMovedBack }: { startedAt: Date; endedAt: Date; isMovedBack: boolean },
  now: Date,
): CorrectionFault | null {
  if (endedAt <= startedAt) return 'ends before it starts'
  if (endedAt > now) return 'ends in the future'
  if (endedAt.getTime() - startedAt.getTime() > MAX_SESSION_HOURS * HOUR_MS) return 'is too long'
  if (isMovedBack && startedAt.getTime() < now.getTime() - CORRECTABLE_DAYS * 24 * HOUR_MS) return 'starts too early'
  return null
}
