import { expect } from 'vitest'
import { digestTables, ONE_MOMENT } from '../backup/tables.ts'
import type { Database } from '../db/db.ts'

/** What is in each table at one moment. */
export function digestsOf(db: Database) {
  return db.transaction(async (db) => {
    await db.script(ONE_MOMENT)
    return digestTables(db)
  })
}

/** What digestsOf() is to equal after a restore: all the same, but that presence has new versions. */
export async function restoredDigestsOf(db: Database) {
  const digests = await digestsOf(db)
  return { ...digests, user_presence: { ...digests.user_presence, sum: expect.any(String) } }
}
