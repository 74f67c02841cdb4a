import { mkdir } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { type Database, openPostgres } from './db.ts'
import { openEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'

/**
 * Opens the configured database. `isPatient` disables statement timeouts, for administration of the whole database. Throws
 * a message that names the setting if the database is not available.
 */
export async function openConfigured(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  { isPatient = false } = {},
): Promise<Database> {
  if (databaseUrl !== null) {
    return describeFailure('The PostgreSQL of DATABASE_URL does not answer', openPostgres(databaseUrl, { isPatient }))
  }
  await describeFailure(`DATA_DIR ${dataDir} cannot be used`, mkdir(dataDir, { recursive: true, mode: 0o700 }))
  return openEmbedded(dataDir)
}

/** Opens the configured database and applies missing migrations first. */
export async function openMigrated(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Database> {
  const db = await openConfigured(config, { isPatient: true })
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
