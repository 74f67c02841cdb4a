import { readdir, readFile } from 'node:fs/promises'
import { SERVER_FOLDER } from '../folders.ts'
import { type Database, type Db, statement } from './db.ts'

const SCHEMA = `${SERVER_FOLDER}schema/`
const MIGRATIONS = `${SERVER_FOLDER}migrations/`

/** The name of all files in `schema` together. Migrations follow it. */
export const BASELINE = '0046_baseline'

/** The migrations that made the schema of the baseline before there was one. */
export const FOLDED =
  `0001_auth 0002_product 0003_outbox_by_time 0004_former_addresses 0005_history_and_corrections 0006_directory_search
  0007_presence_versions 0008_open_since 0009_mail_budgets 0010_second_factor 0011_daily_limits 0012_lead_purpose 0013_requests_taken_back
  0014_request_emails 0015_last_touch 0017_ways_to_sign_in 0019_required_second_factor 0021_circles 0022_push 0023_target
  0024_forgotten_wishes 0025_push_limits 0026_company_report 0028_sessions_kept 0029_meanings 0030_meanings_of_the_report 0031_revisions
  0032_personal_tokens 0034_signs 0036_webhooks 0038_status_in_chat 0040_calendar 0041_counted_from 0042_meaning_of_counted_from
  0043_guesses 0044_languages 0045_italian 0046_known_secrets`
    .split(/\s+/)
    .map((name) => `${name}.sql`)

/** A commit that has exactly the folded migrations. */
const LAST_BEFORE_BASELINE = '6b3394b5'

/** Key of the advisory lock: any number that nothing else in the database uses. */
const LOCK = 7_315_402

const lock = statement('migrate.lock', 'select pg_advisory_xact_lock(:key)')
const create = statement(
  'migrate.create',
  'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
)
const applied = statement('migrate.applied', 'select name from schema_migrations order by name')
const record = statement('migrate.record', 'insert into schema_migrations (name) values (:name)')
const forgetFolded = statement('migrate.forget-folded', 'delete from schema_migrations')

/**
 * Brings the schema up to date in one transaction: an empty database gets the baseline, then all missing migrations. An advisory lock
 * serializes servers that start concurrently. `until` is the last migration to apply, for a backup of an older version. Throws if a
 * newer version created the database, or one from before the baseline.
 */
export async function migrate(database: Database, until?: string): Promise<void> {
  const known = [BASELINE, ...(await sqlFiles(MIGRATIONS))]
  if (until !== undefined) refuseUnknown('backup', [until], known)
  await database.transaction(async (db) => {
    await db.query(lock, { key: LOCK })
    await db.query(create)
    const done = await readApplied(db)
    refuseUnknown('database', done, known)
    const wanted = known.filter((name) => until === undefined || name <= until)
    for (const name of wanted.filter((name) => !done.includes(name))) await apply(db, name)
  })
}

/** The migration with which a database or a backup ends, where the baseline counts as the last folded one. */
export function sinceBaseline(name: string): string {
  return name === FOLDED.at(-1) ? BASELINE : name
}

/** The names of the applied migrations. Marks a database that has all folded ones as being at the baseline. */
async function readApplied(db: Db): Promise<string[]> {
  const names = (await db.query<{ name: string }>(applied)).map(({ name }) => name)
  if (names.join() !== FOLDED.join()) return names
  await db.query(forgetFolded)
  await db.query(record, { name: BASELINE })
  return [BASELINE]
}

function refuseUnknown(what: string, names: string[], known: string[]): void {
  const newest = names.filter((name) => !known.includes(name)).at(-1)
  if (newest === undefined) return
  throw new Error(
    FOLDED.includes(newest)
      ? `The ${what} was made by an older version of deeb (it ends with ${newest}): use it with commit ${LAST_BEFORE_BASELINE} of deeb first, then with this version.`
      : `The ${what} was made by a newer version of deeb (it has ${newest}).`,
  )
}

async function apply(db: Db, name: string): Promise<void> {
  const files = name === BASELINE ? (await sqlFiles(SCHEMA)).map((file) => SCHEMA + file) : [MIGRATIONS + name]
  for (const file of files) await db.script(await readFile(file, 'utf8'))
  await db.query(record, { name })
}

const sqlFiles = async (folder: string) => (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
