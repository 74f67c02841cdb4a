import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/db.ts'
import { localSocket } from '../db/local-socket.ts'
import { streamBackup } from './write-backup.ts'

export const BACKUP_SOCKET = 'admin'
const CUT_AFTER_MS = 3_000

interface BackupDeps {
  config: Pick<Config, 'dataDir'>
  db: Database
  now(): Date
  onError(error: unknown): void
}

/**
 * Serves backups of the embedded database to the admin command, until the returned function is called. On a socket in DATA_DIR: only
 * the user of the server and root can open it, so neither side needs a key. Call it while the folder is locked.
 */
export async function serveBackups(deps: BackupDeps): Promise<() => Promise<void>> {
  const socket = await localSocket(deps.config.dataDir, BACKUP_SOCKET)
  // Of a process that was killed.
  if (process.platform !== 'win32') await rm(socket, { force: true })
  const server = createServer((_request, response) => {
    makeBackup(deps)
      .then((file) => pipeline(file.createReadStream({ start: 0 }), response))
      .catch((error) => {
        deps.onError(error)
        response.destroy()
      })
  }).unref()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, resolve))
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      // A slow reader does not delay the shutdown.
      setTimeout(() => server.closeAllConnections(), CUT_AFTER_MS).unref()
    })
}

/**
 * Writes a backup into a file without a name: the embedded database is blocked during a backup and must not wait for a slow reader.
 */
async function makeBackup({ config, db, now }: BackupDeps): Promise<FileHandle> {
  const path = join(config.dataDir, `backup-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    // The open file stays usable after its removal, and is freed when it is closed, also after a crash.
    await rm(path)
    // By file descriptor: a stream of the FileHandle would keep it from being closed.
    await streamBackup(db, () => createWriteStream('', { fd: file.fd, autoClose: false }), now())
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}
