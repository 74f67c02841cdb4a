import { LIVE_PATH } from '@deeb/core/live-events'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ServeDeps, signedInWithin } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import type { Hub } from './hub.ts'

const MINUTE_MS = 60_000

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Proxies in the manner of nginx would keep events back until they have a page of them.
  'x-accel-buffering': 'no',
}

/**
 * The live stream: server-sent events for who is signed in, until their token expires or 10 to 30 minutes have passed, so
 * that streams spread over the processes there are. Every refusal is an ordinary answer.
 */
export function liveRoutes(app: FastifyInstance, { hub, now, ...deps }: ServeDeps & { hub: Hub }): void {
  const { hooks, deviceOf } = signedInWithin(LIMITS.openStream.rule, deps)
  app.get(LIVE_PATH, { exposeHeadRoute: false, ...hooks }, async (request, reply) => {
    const { userId, sessionId, tokenEndsAtMs } = deviceOf(request)
    const endsAtMs = Math.min(tokenEndsAtMs, now().getTime() + (10 + 20 * Math.random()) * MINUTE_MS)
    const { stream, me } = await hub.open({ userId, sessionId, endsAtMs })
    reply.hijack()
    const response = reply.raw
    response.on('close', () => hub.forget(stream))
    // Whoever left while the stream was being opened said so before anybody listened.
    if (response.closed) return hub.forget(stream)
    // A connection that was lost in the middle of a write is closed too: that says it all.
    response.on('error', () => undefined)
    response.shouldKeepAlive = false
    response.writeHead(200, Object.entries({ ...reply.getHeaders(), ...STREAM_HEADERS }).flat() as string[])
    letGoOf(request, reply)
    stream.greet(response, me)
  })
  app.addHook('preClose', async () => hub.close())
}

/** What a request brings is kept for as long as its answer lasts: for half an hour here, ten thousand times. */
function letGoOf(request: FastifyRequest, reply: FastifyReply): void {
  for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
  request.raw.rawHeaders = []
  request.raw.headers = {}
}
