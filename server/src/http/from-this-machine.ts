import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../loopback.ts'

/**
 * The address alone proves little: a proxy, or a page in the browser with a name of its own for 127.0.0.1, comes from
 * here too. The first one says so in a header, the second in Host.
 */
export function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'))
  const host = (headers.host ?? '').replace(/:\d+$/, '')
  return isLoopback(socket.remoteAddress ?? '') && isLoopback(host) && !isForwarded
}
