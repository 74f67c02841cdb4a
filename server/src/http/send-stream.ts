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

interface Stream {
  /** Starts to write events. */
  greet(response: ServerResponse): void
  /** The client has disconnected. */
  remove(): void
}

/** Sends the events of an open stream as the response. */
export function sendStream(request: FastifyRequest, reply: FastifyReply, { greet, remove }: Stream): void {
  reply.hijack()
  const response = reply.raw
  response.on('close', remove)
  // The client may have disconnected while the stream was being opened.
  if (response.closed) {
    remove()
    return
  }
  // A connection lost during a write emits 'close' too.
  response.on('error', () => undefined)
  response.shouldKeepAlive = false
  response.writeHead(200, Object.entries({ ...reply.getHeaders(), ...STREAM_HEADERS }).flat() as string[])
  releaseHeaders(request, reply)
  greet(response)
}

/** Frees the request's headers: they would stay in memory for half an hour, for each of up to 10,000 streams. */
function releaseHeaders(request: FastifyRequest, reply: FastifyReply): void {
  for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
  request.raw.rawHeaders = []
  request.raw.headers = {}
}
