import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { isAuthorized } from '../http/authorized.ts'
import { isFromThisMachine } from '../http/from-this-machine.ts'
import type { Metrics } from './metrics.ts'

/**
 * `GET /metrics`, for whoever looks after the server: with `Authorization: Bearer METRICS_TOKEN` if the operator set one,
 * else from this machine alone. For everybody else there is nothing here.
 */
export function metricsRoute(app: FastifyInstance, { metricsToken }: Pick<Config, 'metricsToken'>, metrics: Metrics) {
  app.get('/metrics', async (request, reply) => {
    const mayRead = metricsToken === null ? isFromThisMachine(request) : isAuthorized(request, `Bearer ${metricsToken}`)
    if (!mayRead) return reply.callNotFound()
    reply.header('cache-control', 'no-store')
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}
