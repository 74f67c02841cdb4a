import type { FastifyReply } from 'fastify'
import type { Config } from '../../config/config.ts'
import { setCookie } from './browser-cookie.ts'

/** Returns the body of an answer, with a new auth session if there is one, and sets the cookie of that. */
export function sendSession(
  reply: FastifyReply,
  { body, cookie }: { body: object; cookie: string | null },
  { publicUrl }: Pick<Config, 'publicUrl'>,
) {
  if (cookie !== null) setCookie(reply, cookie, publicUrl)
  return body
}
