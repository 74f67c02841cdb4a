import { LIVE_PATH } from '@deeb/core/live-events'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ServeDeps, signedInWithin } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import type { Hub } from './hub.ts'

const MINUTE_MS = 60_000

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // nginx would buffer events otherwise.
  'x-accel-buffering': 'no',
}

/**
 * `GET /api/live`: server-sent events for signed-in users. A stream ends when its access token expires, or after 10 to 30
 * minutes, so that streams spread over all processes. Errors are ordinary responses.
 */
export function liveRoutes(app: FastifyInstance, { hub, now, ...deps }: ServeDeps & { hub: Hub }): void {
  const { hooks, actorOf } = signedInWithin(LIMITS.openStream.rule, deps)
  app.get(LIVE_PATH, { exposeHeadRoute: false, ...hooks }, async (request, reply) => {
    const { userId, sessionId, tokenEndsAtMs } = actorOf(request)
    const endsAtMs = Math.min(tokenEndsAtMs, now().getTime() + (10 + 20 * Math.random()) * MINUTE_MS)
    const { stream, me } = await hub.open({ userId, sessionId, endsAtMs })
    reply.hijack()
    const response = reply.raw
    response.on('close', () => hub.remove(stream))
    // The client may have disconnected while the stream was being opened.
    if (response.closed) return hub.remove(stream)
    // A connection lost during a write emits 'close' too.
    response.on('error', () => undefined)
    response.shouldKeepAlive = false
    response.writeHead(200, Object.entries({ ...reply.getHeaders(), ...STREAM_HEADERS }).flat() as string[])
    releaseHeaders(request, reply)
    stream.greet(response, me)
  })
  app.addHook('preClose', async () => hub.close())
}

/** Frees the request's headers: they would stay in memory for half an hour, for each of up to 10,000 streams. */
function releaseHeaders(request: FastifyRequest, reply: FastifyReply): void {
  for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
  request.raw.rawHeaders = []
  request.raw.headers = {}
}
