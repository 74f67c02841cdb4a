import { MAX_SESSION_HOURS } from '../focus/session.ts'

/** A session can be corrected until this long after its end, and its start can be moved back this far. */
export const CORRECTABLE_DAYS = 7

const HOUR_MS = 3_600_000

export type CorrectionFault = 'ends_before_start' | 'ends_in_future' | 'starts_too_early' | 'too_long'

/** For each fault the field it belongs to, and its message in an error of the API. */
export const CORRECTION_FAULTS: Record<CorrectionFault, { path: 'startedAt' | 'endedAt'; message: string }> = {
  ends_before_start: { path: 'endedAt', message: 'The end must be after the start.' },
  ends_in_future: { path: 'endedAt', message: 'The end cannot be in the future.' },
  starts_too_early: { path: 'startedAt', message: `The start must be within the last ${CORRECTABLE_DAYS} days.` },
  too_long: { path: 'endedAt', message: `A session can be ${MAX_SESSION_HOURS} hours at most.` },
}

/**
 * The reason to reject a correction of a session, or null if its times are valid. The limit of 7 days applies only to a start
 * that is moved back: a forgotten session can be corrected after a month.
 *
 *          7 days                    now
 *     ------|-------------------------|------
 *      x [==|====]                    |         starts_too_early, if it was moved back
 *           |                     [===|==] x    ends_in_future
 */
export function correctionFault(
  { startedAt, endedAt, isMovedBack }: { startedAt: Date; endedAt: Date; isMovedBack: boolean },
  now: Date,
): CorrectionFault | null {
  if (endedAt <= startedAt) return 'ends_before_start'
  if (endedAt > now) return 'ends_in_future'
  if (isMovedBack && startedAt.getTime() < now.getTime() - CORRECTABLE_DAYS * 24 * HOUR_MS) return 'starts_too_early'
  if (endedAt.getTime() - startedAt.getTime() > MAX_SESSION_HOURS * HOUR_MS) return 'too_long'
  return null
}
