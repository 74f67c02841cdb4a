import { expect } from 'vitest'
import { digestTables, ONE_MOMENT } from '../backup/tables.ts'
import type { Database } from '../db/db.ts'

/** A digest of each table, from one snapshot. */
export function digestsOf(db: Database) {
  return db.transaction(async (db) => {
    await db.script(ONE_MOMENT)
    return digestTables(db)
  })
}

/** The expected digests after a restore: equal, except that presence has new versions. */
export async function restoredDigestsOf(db: Database) {
  const digests = await digestsOf(db)
  return { ...digests, user_presence: { ...digests.user_presence, sum: expect.any(String) } }
}
