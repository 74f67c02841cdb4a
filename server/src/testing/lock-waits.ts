import { type Db, statement } from '../db/db.ts'

const waiting = statement(
  'test.waiting',
  "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
)

/**
 * The process ids of the PostgreSQL connections to this database that wait for a lock. Call it outside a transaction, which
 * would see one snapshot of pg_stat_activity.
 */
export async function waitingForLocks(db: Pick<Db, 'query'>): Promise<number[]> {
  return (await db.query<{ pid: number }>(waiting)).map(({ pid }) => pid)
}
