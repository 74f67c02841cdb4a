import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../loopback.ts'

/** Headers that reverse proxies and content delivery networks add. */
const FROM_A_PROXY = /^(?:forwarded|x-forwarded.*|x-original-.+|x-envoy-.+|via|cdn-loop|cf-.+|.+-ip)$/

/**
 * Whether a request comes from this machine itself. The address alone proves little: a proxy, or a page in the browser with a
 * name of its own for 127.0.0.1, has the same one. The first usually adds headers, the second a Host that is not ours.
 */
export function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => FROM_A_PROXY.test(name))
  const host = (headers.host ?? '').replace(/:\d+$/, '')
  return isLoopback(socket.remoteAddress ?? '') && isLoopback(host) && !isForwarded
}
