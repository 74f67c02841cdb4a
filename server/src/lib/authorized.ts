import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** Whether the Authorization header is exactly `expected`. Compares digests in constant time, against timing attacks. */
export function isAuthorized({ headers }: FastifyRequest, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(expected))
}
