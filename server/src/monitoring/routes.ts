import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { isFromThisMachine } from '../config/from-this-machine.ts'
import { isLoopback } from '../config/loopback.ts'
import { isAuthorized } from '../lib/authorized.ts'
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
