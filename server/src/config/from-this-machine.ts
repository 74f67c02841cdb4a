import type { FastifyRequest } from 'fastify'
import { isLoopback } from './loopback.ts'

/** Headers that reverse proxies and content delivery networks add. */
const FROM_A_PROXY = /^(?:forwarded|x-forwarded.*|x-original-.+|x-envoy-.+|via|cdn-loop|cf-.+|.+-ip)$/

/**
 * Whether a request comes from this machine itself. The IP address alone proves little: a local proxy has it too, and so has a
 * page that uses DNS rebinding. A proxy usually adds headers; DNS rebinding sends another Host.
 */
export function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => FROM_A_PROXY.test(name))
  const host = (headers.host ?? '').replace(/:\d+$/, '')
  return isLoopback(socket.remoteAddress ?? '') && isLoopback(host) && !isForwarded
}
