/** Limits of the target of an open session: how long it is meant to be, from its start. */
export const MIN_TARGET_MINUTES = 5
export const MAX_TARGET_MINUTES = 480

/** The step of an own length on the screen. */
export const TARGET_STEP_MINUTES = 5
/** The lengths that the screen offers. */
const USUAL_TARGETS: readonly number[] = [25, 50, 90]

/** Returns the time at which the target of an open session is reached; null without a target. */
export function targetEnd({ startedAt, targetMinutes }: { startedAt: string; targetMinutes?: number | undefined }) {
  return targetMinutes === undefined ? null : new Date(Date.parse(startedAt) + targetMinutes * 60_000)
}

/** The lengths to offer, `first` ones first. Without those that the session has already reached after `elapsedSeconds`. */
export function offeredTargets(first: readonly number[], elapsedSeconds: number): number[] {
  return [...new Set([...first, ...USUAL_TARGETS])].filter((minutes) => minutes * 60 > elapsedSeconds)
}

/** The shortest own length that is ahead, or null if even the longest one is reached. */
export function shortestTarget(elapsedSeconds: number): number | null {
  const next = (Math.floor(elapsedSeconds / 60 / TARGET_STEP_MINUTES) + 1) * TARGET_STEP_MINUTES
  return next > MAX_TARGET_MINUTES ? null : Math.max(next, MIN_TARGET_MINUTES)
}
