import type { Db } from '../db/db.ts'
import { readChangedSince, readNewestVersion } from './read-presences.ts'

/**
 * Which versions of whose presence were told, so that what was announced and what a sweep finds is told once. Remembers
 * back to the last turn but one.
 *
 *     turn         turn         now
 *       |  before    |   lately   |
 *       ^ a look begins here: versions do not become visible in order, but whatever was drawn then is by now
 */
export function createSeenVersions(db: Db) {
  let before = new Map<string, number>()
  let lately = new Map<string, number>()
  let marks: { from: number; next: number } | null = null

  function wasSeen(userId: string, version: number): boolean {
    return version <= (lately.get(userId) ?? before.get(userId) ?? 0)
  }

  return {
    /** Whether this is later than what was told of the person; it counts as told from now on. */
    isNews(userId: string, version: number): boolean {
      if (wasSeen(userId, version)) return false
      lately.set(userId, version)
      return true
    },
    /** Who has changed and was not told of. */
    async unseen(): Promise<string[]> {
      if (!marks || (await readNewestVersion(db)) <= marks.from) return []
      const changed = await readChangedSince(db, marks.from)
      return changed.filter(({ userId, version }) => !wasSeen(userId, version)).map(({ userId }) => userId)
    },
    /** Moves on. To be called at the start, and then not more often than a transaction may take. */
    async turn(): Promise<void> {
      const newest = await readNewestVersion(db)
      marks = { from: marks?.next ?? newest, next: newest }
      before = lately
      lately = new Map()
    },
    /** While nobody is there to be told, there is nothing to remember. */
    rest() {
      marks = null
    },
    isResting: () => marks === null,
  }
}
