import { type Database, statement } from '../db/db.ts'
import { RETENTION } from './retention.ts'

/** So many rows in one transaction: no one waits long behind it, and the log of the database stays small. */
const ROWS_AT_ONCE = 1_000

/** Any number will do, as long as nothing else in the database uses it. */
const LOCK = 7_315_403

const lock = statement('upkeep.lock', 'select pg_try_advisory_xact_lock(:key) as "isMine"')

const removals = Object.entries(RETENTION).flatMap(([table, kept]) =>
  typeof kept === 'string'
    ? []
    : [
        {
          table,
          remove: statement(
            `upkeep.${table}`,
            `with old as (select ctid from ${table} where ${kept.when} limit ${ROWS_AT_ONCE})
            delete from ${table} using old where ${table}.ctid = old.ctid returning 1`,
          ),
        },
      ],
)

/**
 * Deletes what has been kept long enough, and gives how many rows of which tables. Of several servers on one database
 * one does it; for the others there is nothing to do.
 */
export async function cleanUp(database: Database, now: Date): Promise<Record<string, number>> {
  const removed: Record<string, number> = {}
  for (const { table, remove } of removals) {
    let count = ROWS_AT_ONCE
    while (count === ROWS_AT_ONCE) {
      count = await database.transaction(async (db) => {
        const [state] = await db.query<{ isMine: boolean }>(lock, { key: LOCK })
        return state?.isMine ? (await db.query(remove, { now })).length : 0
      })
      if (count > 0) removed[table] = (removed[table] ?? 0) + count
    }
  }
  return removed
}
