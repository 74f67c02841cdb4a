import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** Whether a request shows exactly this in its Authorization header; how long it takes does not tell how much was right. */
export function isAuthorized({ headers }: FastifyRequest, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(expected))
}
