import { mkdir } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { type Database, openPostgres } from './db.ts'
import { openEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'

/**
 * The database that the operator configured. `isPatient`: for work of the operator's on all there is, which no timeout may
 * cut short. Throws a sentence that names the setting if it cannot be had.
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

/** The same, brought up to this version first. */
export async function openMigrated(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Database> {
  const db = await openConfigured(config, { isPatient: true })
  await migrate(db)
  // The embedded one has no timeouts, and takes a second to open.
  if (db.engine === 'embedded') return db
  await db.close()
  return openConfigured(config)
}

/** Says which setting a failure belongs to: what the system says of it names none. */
export async function describeFailure<T>(sentence: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new Error(`${sentence}: ${(error as Error).message}`)
  }
}
