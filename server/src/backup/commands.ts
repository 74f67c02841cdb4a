import type { Config } from '../config/config.ts'
import { FolderHeld } from '../db/folder-lock.ts'
import { openConfigured } from '../db/open.ts'
import { fetchBackup } from './fetch-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

/** Writes a backup to `path`, from a running or a stopped server. Returns the lines to print. */
export async function backup(config: Config, path: string): Promise<string[]> {
  const secret = `Keep ${config.dataDir}/secret too, in another place: with both files anybody can sign in as any user.`
  const done = [`Wrote ${path}.`, ...(config.secret === null ? [secret] : [])]
  try {
    const db = await openConfigured(config, { isPatient: true })
    await writeBackup(db, path, new Date()).finally(() => db.close())
  } catch (error) {
    // The embedded database belongs to one process: the running server must write the backup.
    if (!(error instanceof FolderHeld)) throw error
    await fetchBackup(config.dataDir, path)
  }
  return done
}

/** Restores a backup into the configured database, which must be empty. Returns the lines to print. */
export async function restore(config: Config, path: string): Promise<string[]> {
  const db = await openConfigured(config, { isPatient: true, mayCreate: true })
  try {
    const { digests } = await restoreBackup(db, path)
    const rows = Object.values(digests).reduce((sum, digest) => sum + digest.rows, 0)
    return [`Restored ${rows} rows of ${Object.keys(digests).length} tables; all checksums match.`]
  } finally {
    await db.close()
  }
}
