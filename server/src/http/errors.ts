import type { ErrorBody } from '@deeb/core/errors'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../refusal.ts'

const MESSAGES = {
  invalid_input: 'The request is not what this address expects.',
  invalid_time_zone: 'The time zone is not a known IANA name.',
  not_signed_in: 'Sign in first.',
  not_found: 'There is nothing here.',
  session_not_found: 'There is no such session.',
  username_taken: 'This username is already taken.',
  body_too_large: 'The request is too large.',
  json_required: 'The request must be JSON.',
  unavailable: 'The server cannot answer right now. Try again shortly.',
} as const

/** Turns whatever a handler throws into the one error shape. What nobody foresaw is a 503, and logged. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = asRefusal(error as Error)
    if (!refusal) request.log.error({ err: error, requestId: request.id }, 'request failed')
    return sendRefusal(reply, request, refusal ?? new Refusal('unavailable'))
  })
}

export function sendRefusal(reply: FastifyReply, request: FastifyRequest, refusal: Refusal): FastifyReply {
  if (refusal.code === 'unavailable') reply.header('retry-after', '5')
  const body: ErrorBody = { code: refusal.code, message: MESSAGES[refusal.code], requestId: request.id }
  if (refusal.fields) body.fields = refusal.fields
  return reply.status(refusal.status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** Fastify's own complaints about a request, in our words; null for what is our fault. */
function asRefusal(error: Error | FastifyError): Refusal | null {
  if (error instanceof Refusal) return error
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
  if (status === 413) return new Refusal('body_too_large')
  if (status === 415) return new Refusal('json_required')
  if (status >= 400 && status < 500) return new Refusal('invalid_input')
  return null
}
