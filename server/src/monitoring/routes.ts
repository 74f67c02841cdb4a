import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { BACKUP_PATH } from '../backup/fetch-backup.ts'
import { streamBackup } from '../backup/write-backup.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/db.ts'
import { isAuthorized } from '../http/authorized.ts'
import { isFromThisMachine } from '../http/from-this-machine.ts'
import type { Keys } from '../keys.ts'
import { isLoopback } from '../loopback.ts'
import type { Metrics } from './metrics.ts'

/**
 * `GET /metrics` for monitoring: requires `Authorization: Bearer METRICS_TOKEN` if that is set, else only serves this
 * machine. With a public address it always requires the token, because a proxy on this machine may add no header at all.
 */
export function metricsRoute(
  app: FastifyInstance,
  { metricsToken, publicUrl }: Pick<Config, 'metricsToken' | 'publicUrl'>,
  metrics: Metrics,
) {
  const isPublic = !isLoopback(new URL(publicUrl).hostname)
  app.get('/metrics', async (request, reply) => {
    const mayRead =
      metricsToken === null ? !isPublic && isFromThisMachine(request) : isAuthorized(request, `Bearer ${metricsToken}`)
    if (!mayRead) return reply.callNotFound()
    reply.header('cache-control', 'no-store')
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

interface BackupDeps {
  config: Pick<Config, 'dataDir'>
  db: Database
  keys: Pick<Keys, 'backupKey'>
  now(): Date
}

/**
 * `POST /admin/backup`: a backup of the running server, for the admin command on this machine with the backup key. It goes
 * into a file first: the embedded database is blocked during a backup and must not wait for a slow reader.
 */
export function backupRoute(app: FastifyInstance, { config, db, keys, now }: BackupDeps): void {
  app.post(BACKUP_PATH, async (request, reply) => {
    if (!isFromThisMachine(request) || !isAuthorized(request, `Admin ${keys.backupKey}`)) {
      return reply.callNotFound()
    }
    const path = join(config.dataDir, `backup-${randomUUID()}`)
    const file = await open(path, 'wx+', 0o600)
    try {
      // The open file stays usable after its removal, and is freed when it is closed, also after a crash.
      await rm(path)
      // By file descriptor: a stream of the FileHandle would keep it from being closed.
      await streamBackup(db, () => createWriteStream('', { fd: file.fd, autoClose: false }), now())
    } catch (error) {
      await file.close()
      throw error
    }
    return reply
      .header('cache-control', 'no-store')
      .type('application/gzip')
      .send(file.createReadStream({ start: 0 }))
  })
}
