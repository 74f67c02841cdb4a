import type { Db } from '../db/db.ts'
import { readChangedSince, readNewestVersion } from './read-presences.ts'

/** De-duplicates presence versions between change events and the periodic sweep. */
export interface SeenVersions {
  /** True if this version is newer than any seen one of the user; marks it as seen. */
  markNewer(userId: string, version: number): boolean
  /** Users whose presence changed without a change event. */
  unseen(): Promise<string[]>
  /** Starts the next window. Call it at the start, then less often than a transaction may last. */
  rotate(): Promise<void>
  /** Stops while no stream is open: there is nobody to deliver to. */
  pause(): void
  isPaused(): boolean
}

/**
 * Keeps two sweep windows, because versions do not become visible in commit order: a transaction that took its version in
 * the window before may commit in this one.
 *
 *     rotate       rotate       now
 *       |  previous  |  current   |
 *       ^ a sweep looks for versions from here on
 */
export function createSeenVersions(db: Db): SeenVersions {
  let previous = new Map<string, number>()
  let current = new Map<string, number>()
  let marks: { from: number; next: number } | null = null

  function wasSeen(userId: string, version: number): boolean {
    return version <= (current.get(userId) ?? previous.get(userId) ?? 0)
  }

  return {
    markNewer(userId, version) {
      if (wasSeen(userId, version)) return false
      current.set(userId, version)
      return true
    },
    async unseen() {
      if (!marks || (await readNewestVersion(db)) <= marks.from) return []
      const changed = await readChangedSince(db, marks.from)
      return changed.filter(({ userId, version }) => !wasSeen(userId, version)).map(({ userId }) => userId)
    },
    async rotate() {
      const newest = await readNewestVersion(db)
      marks = { from: marks?.next ?? newest, next: newest }
      previous = current
      current = new Map()
    },
    pause() {
      marks = null
    },
    isPaused: () => marks === null,
  }
}
