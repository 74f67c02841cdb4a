import type { Span } from '../focus/history.ts'

/** A touch this soon after the start belongs to the switching on. It says nothing about the end. */
const AFTER_START_MS = 15 * 60_000
const MINUTE_MS = 60_000

export interface LikelyEnd {
  /** A whole minute. */
  at: Date
  why: 'last_touch' | 'usual_end'
}

/**
 * The times at which a forgotten session probably ended, the likeliest first. Only those after its start and before the end
 * that the server gave it.
 */
export function likelyEnds(
  { startedAt, endedAt }: Span,
  { lastTouchAt, usualEndAt }: { lastTouchAt: Date | null; usualEndAt: Date | null },
): LikelyEnd[] {
  const isAfterStart = lastTouchAt !== null && lastTouchAt.getTime() - startedAt.getTime() >= AFTER_START_MS
  const ends: LikelyEnd[] = [
    ...(isAfterStart ? [{ at: wholeMinute(lastTouchAt), why: 'last_touch' } as const] : []),
    ...(usualEndAt ? [{ at: wholeMinute(usualEndAt), why: 'usual_end' } as const] : []),
  ]
  return ends
    .filter(({ at }) => at > startedAt && at < endedAt)
    .filter(({ at }, n, all) => all.findIndex((other) => other.at.getTime() === at.getTime()) === n)
}

function wholeMinute(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / MINUTE_MS) * MINUTE_MS)
}
