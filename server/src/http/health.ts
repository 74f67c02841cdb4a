import type { FastifyInstance } from 'fastify'
import { type Db, statement } from '../db/db.ts'
import { Refusal } from '../refusal.ts'

const ping = statement('health.ping', 'select 1')

/** Liveness and readiness: `GET /healthz` is 200 only when the database answers. */
export function healthRoute(app: FastifyInstance, db: Db): void {
  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    await db.query(ping).catch(() => {
      throw new Refusal('unavailable')
    })
    return { status: 'ok' }
  })
}
