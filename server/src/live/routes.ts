import { LIVE_PATH } from '@deeb/core/live-events'
import type { FastifyInstance } from 'fastify'
import { sendStream, streamEnd } from '../http/send-stream.ts'
import { type ServeDeps, signedInWithin } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import type { Hub } from './hub.ts'

/**
 * `GET /api/live`: server-sent events for signed-in users. A stream ends when its access token expires, or after 10 to 30
 * minutes, so that streams spread over all processes. Errors are ordinary responses.
 */
export function liveRoutes(app: FastifyInstance, { hub, now, ...deps }: ServeDeps & { hub: Hub }): void {
  const { hooks, actorOf } = signedInWithin(LIMITS.openStream.rule, deps)
  app.get(LIVE_PATH, { exposeHeadRoute: false, ...hooks }, async (request, reply) => {
    const { userId, sessionId, tokenEndsAtMs } = actorOf(request)
    const endsAtMs = Math.min(tokenEndsAtMs, streamEnd(now()))
    const { stream, me } = await hub.open({ userId, sessionId, endsAtMs })
    sendStream(request, reply, {
      greet: (response) => stream.greet(response, me),
      remove: () => hub.remove(stream),
    })
  })
  app.addHook('preClose', async () => hub.close())
}
