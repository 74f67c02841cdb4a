import { LIVE_PATH } from '@deeb/core/live-events'
import type { Scope } from '@deeb/core/scopes'
import type { FastifyInstance } from 'fastify'
import { sendStream, streamEnd } from '../http/send-stream.ts'
import { type ServeDeps, securityOf, signedInWithin } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import type { Hub } from './hub.ts'

/** The scopes that open a stream. What it delivers depends on them too: stream.ts. */
const LIVE_SCOPES = ['switch', 'read', 'team'] as const satisfies Scope[]

/**
 * `GET /api/live`: server-sent events for signed-in users and personal access tokens. A stream ends when its access token expires, or after 10 to 30
 * minutes, so that streams spread over all processes. Errors are ordinary responses.
 */
export function liveRoutes(app: FastifyInstance, { hub, now, ...deps }: ServeDeps & { hub: Hub }): void {
  const { hooks, actorOf } = signedInWithin(LIMITS.openStream, deps, LIVE_SCOPES)
  const schema = { summary: 'Receive changes as server-sent events.', ...securityOf(LIVE_SCOPES) }
  app.get(LIVE_PATH, { exposeHeadRoute: false, schema, ...hooks }, async (request, reply) => {
    const { userId, sessionId, tokenEndsAtMs, scopes } = actorOf(request)
    const endsAtMs = Math.min(tokenEndsAtMs, streamEnd(now()))
    const { stream, me } = await hub.open({ ownerId: userId, sessionId, endsAtMs, scopes })
    const response = sendStream(request, reply, () => hub.remove(stream))
    if (response) stream.greet(response, me)
  })
  app.addHook('preClose', async () => hub.close())
}
