import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type Database, type Db, statement } from '../db/db.ts'
import { migrate, sinceBaseline } from '../db/migrate.ts'
import { digestTables, listTables, ONE_MOMENT } from './tables.ts'
import { type End, FORMAT, type Head, newestMigration } from './write-backup.ts'

const ROWS_PER_INSERT = 500

/*
 * Gives all presences new versions and revisions. Servers and clients that are open during a restore have seen newer ones than the
 * backup has, and ignore lower ones. The current time in milliseconds is higher than any of them.
 */
const RENEW_VERSIONS = `do $$ declare
  now_ms bigint := extract(epoch from clock_timestamp()) * 1000;
begin
  perform setval('presence_versions', greatest(nextval('presence_versions'), now_ms));
  update user_presence set version = nextval('presence_versions'), revision = greatest(revision, now_ms);
end $$`

/**
 * Restores a backup into an empty database in one transaction, compares the checksum of every table, then applies missing
 * migrations. Only presence gets new versions. Throws a message for the terminal if the database is not empty or the file
 * is incomplete or damaged. Without a path it reads standard input.
 */
export async function restoreBackup(database: Database, path: string | null): Promise<End> {
  const lines = readLines(path)
  const head = readHead((await lines.next()).value ?? '')
  // Before the migration, which would change a database that is then refused.
  await refuseNonEmpty(database)
  await migrate(database, head.migration)
  const end = await database.transaction(async (db) => {
    await db.script(ONE_MOMENT)
    await refuseNewer(db, head)
    // Again: another process may have written since.
    await refuseNonEmpty(db)
    await setTriggers(db, 'disable')
    const end = await fill(db, lines)
    await setTriggers(db, 'enable')
    for (const { name, value } of end.sequences) await db.query(setSequence, { name, value })
    await compare(db, end)
    await db.script(RENEW_VERSIONS)
    return end
  })
  await migrate(database)
  await database.script('analyze')
  return end
}

async function* readLines(path: string | null): AsyncGenerator<string> {
  const file: Readable = path === null ? process.stdin : createReadStream(path)
  const text = file.pipe(createGunzip())
  file.on('error', (error) => text.destroy(error))
  // Not node:readline: it also splits at Unicode line separators, which names may contain.
  let rest = ''
  try {
    for await (const chunk of text.setEncoding('utf8')) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new Error(`${path} does not exist.`)
    throw new Error(`${path ?? 'Standard input'} is not a complete backup: ${message}`)
  } finally {
    text.destroy()
    file.destroy()
  }
}

function readHead(line: string): Head {
  if (!line.startsWith('H{')) throw new Error('This is not a backup of deeb.')
  const head = JSON.parse(line.slice(1)) as Head
  if (head.format !== FORMAT) throw new Error('The backup was made by a newer version of deeb.')
  return { ...head, migration: sinceBaseline(head.migration) }
}

async function refuseNewer(db: Db, head: Head): Promise<void> {
  const [newest] = await db.query<{ name: string }>(newestMigration)
  if (newest?.name === head.migration) return
  throw new Error(`The backup is older than the schema of this database. Restore into a new database without tables.`)
}

async function refuseNonEmpty(db: Db): Promise<void> {
  for (const table of await listTables(db)) {
    const found = await db.query(statement(`restore.any.${table}`, `select from ${table} limit 1`))
    if (found.length === 0) continue
    throw new Error(
      `The database is not empty (${table} has rows). Restore into a new one: move the folder away, or set another DATA_DIR or DATABASE_URL.`,
    )
  }
}

/** Disables or enables triggers: the backup already contains what they would write. */
async function setTriggers(db: Db, what: 'disable' | 'enable'): Promise<void> {
  for (const table of await listTables(db)) await db.script(`alter table ${table} ${what} trigger user`)
}

async function fill(db: Db, lines: AsyncGenerator<string>): Promise<End> {
  const known = new Set(await listTables(db))
  let table = ''
  let rows: string[] = []
  for await (const line of lines) {
    const [kind, rest] = [line[0], line.slice(1)]
    if (kind === 'R') rows.push(rest)
    if (kind !== 'R' || rows.length >= ROWS_PER_INSERT) {
      await insert(db, table, rows)
      rows = []
    }
    if (kind === 'E') return JSON.parse(rest) as End
    if (kind !== 'T') continue
    if (!known.has(rest)) throw new Error(`The backup has a table that this version does not know: ${rest}.`)
    table = rest
  }
  throw new Error('The backup is incomplete: its end is missing.')
}

const columnsOf = statement(
  'restore.columns',
  `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
  where attrelid = :table::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
)
const setSequence = statement('restore.sequence', 'select setval(:name::text::regclass, :value::text::bigint)')

async function insert(db: Db, table: string, rows: string[]): Promise<void> {
  if (rows.length === 0) return
  const [columns] = await db.query<{ names: string }>(columnsOf, { table })
  const names = columns?.names ?? ''
  const sql = `insert into ${table} (${names}) overriding system value
    select ${names} from jsonb_populate_recordset(null::${table}, :rows::text::jsonb)`
  await db.query(statement(`restore.insert.${table}`, sql), { rows: `[${rows.join(',')}]` })
}

async function compare(db: Db, { digests }: End): Promise<void> {
  const found = await digestTables(db)
  const names = [...new Set([...Object.keys(found), ...Object.keys(digests)])]
  const differ = names.filter((name) => JSON.stringify(found[name]) !== JSON.stringify(digests[name]))
  if (differ.length > 0) throw new Error(`The backup is damaged: ${differ.join(', ')}. The checksums do not match.`)
}
