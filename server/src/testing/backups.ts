import { makeNewFile } from '../backup/new-file.ts'
import { streamBackup } from '../backup/write-backup.ts'
import type { Database } from '../db/db.ts'

/** Writes a backup to `path`, which must not exist. */
export function writeBackup(db: Database, path: string, now: Date) {
  return makeNewFile(path, (open) => streamBackup(db, open, now))
}
