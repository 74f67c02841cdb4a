import type { Config } from '../config.ts'
import { FolderHeld } from '../db/folder-lock.ts'
import { openConfigured } from '../db/open.ts'
import { loadKeys } from '../keys.ts'
import { fetchBackup } from './fetch-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

/** Makes a backup, whether the server runs or not, and gives what the operator is told. */
export async function backup(config: Config, path: string): Promise<string[]> {
  const secret = `Keep ${config.dataDir}/secret too, but somewhere else: with both, somebody can be anybody.`
  const done = [`Wrote ${path}.`, ...(config.secret === null ? [secret] : [])]
  try {
    const db = await openConfigured(config, { isPatient: true })
    await writeBackup(db, path, new Date()).finally(() => db.close())
  } catch (error) {
    // The embedded database belongs to one process: the server that runs has to do it.
    if (!(error instanceof FolderHeld)) throw error
    const { backupKey } = await loadKeys(config)
    await fetchBackup(`http://127.0.0.1:${config.port}`, backupKey, path)
  }
  return done
}

/** Fills the database that the environment names, which must be empty. */
export async function restore(config: Config, path: string): Promise<string[]> {
  const db = await openConfigured(config, { isPatient: true })
  try {
    const { digests } = await restoreBackup(db, path)
    const rows = Object.values(digests).reduce((sum, digest) => sum + digest.rows, 0)
    return [`Restored ${rows} rows of ${Object.keys(digests).length} tables; each is what it was.`]
  } finally {
    await db.close()
  }
}
