import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { inject } from 'vitest'
import { type Database, openPostgres, statement } from '../db/db.ts'
import { EXTENSIONS, openPglite } from '../db/embedded.ts'
import { copyDatabase } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated database of this engine, made by its setup file. */
    template: { engine: 'embedded'; dump: string } | PostgresTemplate
  }
}

interface PostgresTemplate {
  engine: 'postgresql'
  /** The server, or the pooler before it. */
  url: string
  directUrl: string
  /** The name of the database. */
  name: string
}

export function isOnPostgres(): boolean {
  return inject('template').engine === 'postgresql'
}

/** Whether a pooler chooses the connections, see `POOLER` in setup-postgres.ts. */
export function isPooled(): boolean {
  const template = inject('template')
  return template.engine === 'postgresql' && template.url !== template.directUrl
}

/** On a machine with other work, a statement that fills tables takes longer than a server would wait. */
const PATIENT = { statementMs: 60_000, silenceMs: 75_000 }

/** Opens a new migrated database on the engine of this test run. */
export async function openTestDatabase(): Promise<Database> {
  const template = inject('template')
  if (template.engine === 'postgresql') return openPostgres(await createTestDatabase(), PATIENT)
  const loadDataDir = new Blob([await readFile(template.dump)])
  return openPglite(await PGlite.create('memory://', { loadDataDir, extensions: EXTENSIONS }))
}

/** Opens an empty database without tables, on the engine of this test run. */
export async function openEmptyDatabase(): Promise<Database> {
  const db = await openTestDatabase()
  await db.script(EMPTY)
  return db
}

/** SQL that drops all schemas of deeb. */
const EMPTY = 'drop schema auth cascade; drop schema public cascade; create schema public'

const claim = statement(
  'test.claim-migrations',
  `with gone as (delete from schema_migrations where name <> all(:names))
  insert into schema_migrations (name) select unnest(:names::text[]) on conflict do nothing`,
)

/** Makes a database say that exactly these migrations were applied. */
export const claimMigrations = (db: Database, names: string[]) => db.query(claim, { names })

/** Creates a migrated database that several servers can share, and returns its URL. Throws on the embedded engine. */
export async function createTestDatabase(): Promise<string> {
  const template = inject('template')
  if (template.engine !== 'postgresql') throw new Error('Only a PostgreSQL database can be shared.')
  const url = await copyDatabase(`${template.directUrl}/${template.name}`)
  return url.replace(template.directUrl, template.url)
}

/** The URL of a test database past the pooler, where there is one. */
export function directUrlOf(url: string): string {
  const template = inject('template')
  return template.engine === 'postgresql' ? url.replace(template.url, template.directUrl) : url
}

/** Settings of a server, with the way past the pooler to its test database. */
export function withDirectUrl<Env extends NodeJS.ProcessEnv>(env: Env): Env {
  return env.DATABASE_URL ? { DATABASE_DIRECT_URL: directUrlOf(env.DATABASE_URL), ...env } : env
}
