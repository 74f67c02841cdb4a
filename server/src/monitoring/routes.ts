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
 * `GET /metrics` for monitoring: with `Authorization: Bearer METRICS_TOKEN` if the operator set one, else from this machine
 * alone. A server with a public address always needs the token, because a proxy on this machine may add no header at all.
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
 * A backup of a server that runs, for the command on the same machine that sends the key for it. It is made in a file
 * first: the embedded database does nothing else meanwhile, and shall not wait for whoever reads slowly.
 */
export function backupRoute(app: FastifyInstance, { config, db, keys, now }: BackupDeps): void {
  app.post(BACKUP_PATH, async (request, reply) => {
    if (!isFromThisMachine(request) || !isAuthorized(request, `Admin ${keys.backupKey}`)) {
      return reply.callNotFound()
    }
    const path = join(config.dataDir, `backup-${randomUUID()}`)
    const file = await open(path, 'wx+', 0o600)
    try {
      // It is written and read all the same, and nothing is left of it, whatever ends that.
      await rm(path)
      // By its number: a stream of the file itself keeps it from being closed.
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
