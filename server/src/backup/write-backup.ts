import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Database, type Db, statement } from '../db/db.ts'
import { type Digest, listTables, ONE_MOMENT, readRows, startDigest } from './tables.ts'

export const FORMAT = 1

/** The first line of a backup. */
export interface Head {
  format: number
  /** The newest migration of the source database. */
  migration: string
  at: string
}

/** The last line of a backup. */
export interface End {
  sequences: { name: string; value: string }[]
  digests: Record<string, Digest>
}

export const newestMigration = statement('backup.migration', 'select max(name) as name from schema_migrations')
// Checks columns too: other programs use the same table name.
const isDeeb = statement(
  'backup.is-deeb',
  `select count(*) = 2 as yes from pg_attribute
  where attrelid = to_regclass('schema_migrations') and attname in ('name', 'applied_at')`,
)
const sequences = statement(
  'backup.sequences',
  `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value from pg_sequences
  where schemaname in ('public', 'auth') and last_value is not null order by 1`,
)

/**
 * Writes a consistent backup to a stream, which it opens when the database responds, and ends. It is gzip of lines: `H` is the head, `T`
 * a table, `R` a row of it, `E` the end. It is independent of the engine. Throws a message for the terminal if the database has no tables
 * of deeb.
 */
export async function streamBackup(database: Database, open: () => Writable, now: Date): Promise<End> {
  const end: End = { sequences: [], digests: {} }
  await database.transaction((db) => pipeline(readLines(db, end, now), createGzip(), open()))
  return end
}

/** Yields the lines of a backup, with backpressure from the disk. Fills `end`. */
async function* readLines(db: Db, end: End, now: Date): AsyncGenerator<string> {
  await db.script(ONE_MOMENT)
  const [deeb] = await db.query<{ yes: boolean }>(isDeeb)
  if (!deeb?.yes)
    throw new Error('This database has no tables of deeb. Set the DATA_DIR or DATABASE_URL of the server.')
  const [migration] = await db.query<{ name: string }>(newestMigration)
  const head: Head = { format: FORMAT, migration: migration?.name ?? '', at: now.toISOString() }
  yield `H${JSON.stringify(head)}\n`
  for (const table of await listTables(db)) {
    const digest = startDigest()
    yield `T${table}\n`
    for await (const rows of readRows(db, table)) {
      for (const row of rows) digest.add(row)
      yield rows.map((row) => `R${row}\n`).join('')
    }
    end.digests[table] = digest.result()
  }
  end.sequences = await db.query<End['sequences'][number]>(sequences)
  yield `E${JSON.stringify(end)}\n`
}
