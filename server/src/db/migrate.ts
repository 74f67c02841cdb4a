import { readdir, readFile } from 'node:fs/promises'
import { SERVER_FOLDER } from '../folders.ts'
import { type Database, type Db, statement } from './db.ts'

const FOLDER = `${SERVER_FOLDER}migrations/`

/** Key of the advisory lock: any number that nothing else in the database uses. */
const LOCK = 7_315_402

const lock = statement('migrate.lock', 'select pg_advisory_xact_lock(:key)')
const create = statement(
  'migrate.create',
  'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
)
const applied = statement('migrate.applied', 'select name from schema_migrations order by name')
const record = statement('migrate.record', 'insert into schema_migrations (name) values (:name)')

/**
 * Applies all missing migrations in one transaction. An advisory lock serializes servers that start concurrently. `until`
 * is the last migration to apply, for a backup of an older version. Throws if a newer version created the database.
 */
export async function migrate(database: Database, until?: string): Promise<void> {
  const known = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  if (until !== undefined && !known.includes(until)) throw madeByNewer('backup', until)
  await database.transaction(async (db) => {
    await db.query(lock, { key: LOCK })
    await db.query(create)
    const done = new Set((await db.query<{ name: string }>(applied)).map((row) => row.name))
    const unknown = [...done].find((name) => !known.includes(name))
    if (unknown) throw madeByNewer('database', unknown)
    const wanted = known.filter((name) => until === undefined || name <= until)
    for (const name of wanted.filter((name) => !done.has(name))) await apply(db, name)
  })
}

function madeByNewer(what: string, name: string): Error {
  return new Error(`The ${what} was made by a newer version of deeb (it has ${name}).`)
}

async function apply(db: Db, name: string): Promise<void> {
  await db.script(await readFile(FOLDER + name, 'utf8'))
  await db.query(record, { name })
}
