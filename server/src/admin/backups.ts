import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeNewFile } from '../backup/new-file.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { streamBackup } from '../backup/write-backup.ts'
import type { Config } from '../config/config.ts'
import { FolderHeld } from '../db/folder-lock.ts'
import { openConfigured } from '../db/open.ts'
import { askServer, BACKUP } from './ask-server.ts'

/** In place of a file: standard output or input. */
const STANDARD = '-'

/**
 * Writes a backup to a new file, or to standard output, from a running or a stopped server. The file gets its name when it is complete.
 * Returns the lines to print.
 */
export async function backup(config: Config, name: string, env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  if (name === STANDARD) {
    await writeTo(config, () => standardOutput(env))
    return []
  }
  const path = resolve(name)
  await makeNewFile(path, (open) => writeTo(config, open))
  const secret = `Keep ${config.dataDir}/secret too, in another place: with both files anybody can sign in as any user.`
  return [`Wrote ${path}.`, ...(config.secret === null ? [secret] : [])]
}

/** Opens the stream when there is something to write. */
async function writeTo(config: Config, open: () => Writable): Promise<void> {
  try {
    const db = await openConfigured(config, { isPatient: true })
    await streamBackup(db, open, new Date()).finally(() => db.close())
  } catch (error) {
    if (!(error instanceof FolderHeld)) throw error
    await fetchTo(config.dataDir, open)
  }
}

/** Has the server that runs on `dataDir` write the backup. An answer that ends too early is an error, so no incomplete file gets its name. */
export async function fetchTo(dataDir: string, open: () => Writable): Promise<void> {
  await pipeline(await askServer(dataDir, BACKUP), open())
}

function standardOutput({ npm_lifecycle_event: script, npm_config_loglevel: level }: NodeJS.ProcessEnv): Writable {
  if (script !== undefined && level !== 'silent') {
    throw new Error('npm writes lines of its own to standard output. Use: npm run --silent backup -- -')
  }
  return process.stdout
}

/** Restores a backup, a file or standard input, into the configured database, which must be empty. Returns the lines to print. */
export async function restore(config: Config, name: string): Promise<string[]> {
  const db = await openConfigured(config, { isPatient: true, mayCreate: true })
  try {
    const { digests } = await restoreBackup(db, name === STANDARD ? null : resolve(name))
    const rows = Object.values(digests).reduce((sum, digest) => sum + digest.rows, 0)
    return [`Restored ${rows} rows of ${Object.keys(digests).length} tables; all checksums match.`]
  } finally {
    await db.close()
  }
}
