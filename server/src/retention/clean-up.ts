import { type Database, type Statement, statement } from '../db/db.ts'
import type { Params } from '../db/named-parameters.ts'
import { RETENTION } from './retention.ts'

/** Rows per transaction. Small batches keep row locks short and the write-ahead log small. */
const ROWS_PER_BATCH = 1_000

/** Key of the advisory lock: any number that nothing else in the database uses. */
const LOCK = 7_315_403

const lock = statement('retention.lock', 'select pg_try_advisory_xact_lock(:key) as "isMine"')

const removals = Object.entries(RETENTION).flatMap(([table, rule]) =>
  typeof rule === 'string'
    ? []
    : [
        {
          table,
          remove: statement(
            `retention.${table}`,
            `with old as (select ctid from ${table} where ${rule.when} limit ${ROWS_PER_BATCH})
            delete from ${table} using old where ${table}.ctid = old.ctid returning 1`,
          ),
        },
      ],
)

/**
 * Purges all rows that are older than their retention, in batches. Returns the number of deleted rows by table. One server purges
 * at a time; the others skip it. Throws between two batches when `signal` is aborted.
 */
export async function cleanUp(database: Database, now: Date, signal?: AbortSignal): Promise<Record<string, number>> {
  const removed: Record<string, number> = {}
  for (const { table, remove } of removals) {
    let count = ROWS_PER_BATCH
    while (count === ROWS_PER_BATCH) {
      signal?.throwIfAborted()
      count = (await removeBatch(database, remove, { now })) ?? 0
      if (count > 0) removed[table] = (removed[table] ?? 0) + count
    }
  }
  return removed
}

/**
 * Runs a statement that returns a row for each row that it deletes. Returns their number, or null if another server holds the
 * advisory lock of the purge.
 */
export function removeBatch(database: Database, remove: Statement, params: Params): Promise<number | null> {
  return database.transaction(async (db) => {
    const [state] = await db.query<{ isMine: boolean }>(lock, { key: LOCK })
    return state?.isMine ? (await db.query(remove, params)).length : null
  })
}
