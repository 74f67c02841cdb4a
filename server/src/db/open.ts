import { mkdir } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { type Database, openPostgres } from './db.ts'
import { openEmbedded } from './embedded.ts'

/** The database that the operator configured. Throws a sentence that names the setting if it cannot be had. */
export async function openConfigured({ databaseUrl, dataDir }: Config): Promise<Database> {
  if (databaseUrl !== null) return inWords('The PostgreSQL of DATABASE_URL does not answer', openPostgres(databaseUrl))
  await inWords(`DATA_DIR ${dataDir} cannot be used`, mkdir(dataDir, { recursive: true, mode: 0o700 }))
  return openEmbedded(dataDir)
}

/** Says which setting a failure belongs to: what the system says of it names none. */
export async function inWords<T>(sentence: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new Error(`${sentence}: ${(error as Error).message}`)
  }
}
