import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { type Database, openPostgres } from './db.ts'
import { openEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'databaseDirectUrl'>>

/**
 * Opens the configured database. `isPatient` disables statement timeouts and goes past a pooler, for migrations and for
 * administration of the whole database. `mayCreate`: an embedded database that does not exist yet is created. Throws a message that
 * names the setting if the database is not available.
 */
export async function openConfigured(
  { databaseUrl, databaseDirectUrl = databaseUrl, dataDir }: DatabaseConfig,
  { isPatient = false, mayCreate = false } = {},
): Promise<Database> {
  const url = isPatient ? databaseDirectUrl : databaseUrl
  if (url !== null) {
    const setting = url === databaseUrl ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
    return describeFailure(`The PostgreSQL of ${setting} does not answer`, openPostgres(url, { isPatient }))
  }
  if (!mayCreate && !existsSync(join(dataDir, 'database'))) {
    throw new Error(`There is no database in ${dataDir}. Check DATA_DIR.`)
  }
  await describeFailure(`DATA_DIR ${dataDir} cannot be used`, mkdir(dataDir, { recursive: true, mode: 0o700 }))
  return openEmbedded(dataDir)
}

/** Opens the configured database and applies missing migrations first. */
export async function openMigrated(config: DatabaseConfig): Promise<Database> {
  const db = await openConfigured(config, { isPatient: true, mayCreate: true })
  await migrate(db)
  // The embedded database has no timeouts and takes a second to open: no need to reopen it.
  if (db.engine === 'embedded') return db
  await db.close()
  return openConfigured(config)
}

/** Prefixes the error of `work` with `sentence`, which names the setting. System errors name none. */
export async function describeFailure<T>(sentence: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new Error(`${sentence}: ${(error as Error).message}`)
  }
}
