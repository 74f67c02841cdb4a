import { MAX_TARGET_MINUTES, MIN_TARGET_MINUTES } from '@deeb/core/focus/target'
import type { Home } from '../focus/day-queries.ts'

/** A quiet time in which the user takes part. */
export type OwnQuietTime = NonNullable<Home['quiet']>[number]

/** Returns the quiet time that is under way, of several the last to end. */
export function quietNow(all: readonly OwnQuietTime[] | undefined, now: Date): OwnQuietTime | undefined {
  const at = now.toISOString()
  return all
    ?.filter(({ startsAt, endsAt }) => startsAt <= at && at < endsAt)
    .sort((a, b) => b.endsAt.localeCompare(a.endsAt))[0]
}

/** Returns the target of a session that is opened now and meant to last until the end of a quiet time: at most a minute longer. */
export function targetUntil({ endsAt }: OwnQuietTime, now: Date): { targetMinutes: number } {
  const minutes = Math.ceil((Date.parse(endsAt) - now.getTime()) / 60_000)
  return { targetMinutes: Math.min(Math.max(minutes, MIN_TARGET_MINUTES), MAX_TARGET_MINUTES) }
}
