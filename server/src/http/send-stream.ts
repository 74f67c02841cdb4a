import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

const MINUTE_MS = 60_000

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // nginx would buffer events otherwise.
  'x-accel-buffering': 'no',
}

/** Returns the end of a stream that is opened now, in ms: after 10 to 30 minutes, so that streams spread over all processes. */
export function streamEnd(now: Date): number {
  return now.getTime() + (10 + 20 * Math.random()) * MINUTE_MS
}

const NOTHING = () => undefined
const NO_HEADERS: FastifyRequest['raw']['headers'] = {}
const NO_RAW_HEADERS: string[] = []

/**
 * Begins the response of a stream. Null if the client has disconnected while the stream was being opened. `remove` is called when the
 * client disconnects.
 *
 * Up to 10,000 streams stay in memory for half an hour, so each is without the headers of its request.
 */
export function sendStream(request: FastifyRequest, reply: FastifyReply, remove: () => void): ServerResponse | null {
  reply.hijack()
  const response = reply.raw
  response.on('close', remove)
  if (response.closed) {
    remove()
    return null
  }
  // A connection lost during a write emits 'close' too.
  response.on('error', NOTHING)
  response.shouldKeepAlive = false
  response.writeHead(200, Object.entries({ ...reply.getHeaders(), ...STREAM_HEADERS }).flat() as string[])
  // Sent with the first event, the headers would stay in memory as some 60 pieces of text. Written alone, they become one.
  response.flushHeaders()
  request.raw.rawHeaders = NO_RAW_HEADERS
  request.raw.headers = NO_HEADERS
  return response
}
