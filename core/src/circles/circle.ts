/** At most this many circles per person. */
export const MAX_CIRCLES = 10

/** The highest value of the setting CIRCLE_SIZE. */
export const MAX_CIRCLE_SIZE = 150

/** In the first hours of a circle its members see each other immediately. Somebody who joins later waits for as long. */
export const NEWCOMER_HOURS = 24

const NEWCOMER_MS = NEWCOMER_HOURS * 3_600_000

/** Returns the time from which somebody who joins a circle now and its other members see each other. */
export function visibleFrom(createdAt: Date, joinedAt: Date): Date {
  const isNew = joinedAt.getTime() - createdAt.getTime() < NEWCOMER_MS
  return isNew ? joinedAt : new Date(joinedAt.getTime() + NEWCOMER_MS)
}
