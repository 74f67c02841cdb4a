import type { FastifyReply } from 'fastify'
import type { Config } from '../../config/config.ts'
import type { SessionAnswer } from '../auth-session/session-answer.ts'
import { setCookie } from './browser-cookie.ts'

/** Returns the body of an answer with a new auth session, and sets its cookie if there is one. */
export function sendSession(
  reply: FastifyReply,
  { body, cookie }: SessionAnswer,
  { publicUrl }: Pick<Config, 'publicUrl'>,
) {
  if (cookie !== null) setCookie(reply, cookie, publicUrl)
  return body
}
