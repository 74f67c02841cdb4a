import { type Db, statement } from '../db/db.ts'

const waiting = statement(
  'test.waiting',
  "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
)

/**
 * The process ids of PostgreSQL's connections to this database that wait for a lock. Not to be asked in a transaction, which
 * sees the same all along.
 */
export async function waitingForLocks(db: Pick<Db, 'query'>): Promise<number[]> {
  return (await db.query<{ pid: number }>(waiting)).map(({ pid }) => pid)
}
