import type { FastifyInstance, FastifyReply } from 'fastify'
import type * as v from 'valibot'
import { DatabaseOutage, isRefusedValue } from '../../db/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { validate } from '../../lib/validate.ts'
import { AuthError } from './auth-error.ts'

const BODY_LIMIT_BYTES = 16 * 1024
const RETRY_AFTER_SECONDS = 5

/** The headers of every response. */
const HEADERS = { 'cache-control': 'no-store', 'x-supabase-api-version': '2024-01-01' }

/**
 * Makes `app` compatible with auth-js: JSON bodies, errors in GoTrue's shape, and 503 for unexpected errors. An error of the server
 * is never a 500 or a 4xx, because auth-js signs the user out on these.
 */
export function goTrueErrors(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(HEADERS)
  })
  acceptOnlyJson(app)
  app.setNotFoundHandler((_request, reply) => sendError(reply, new AuthError('not_found')))
  app.setErrorHandler((error, request, reply) => {
    const known = asAuthError(error as Error)
    // An outage has its own lines (outage-log.ts).
    if (!known && !(error instanceof DatabaseOutage))
      request.log.error({ err: error, requestId: request.id }, 'auth request failed')
    return sendError(reply, known ?? new AuthError('unexpected_failure'))
  })
}

/** Parses a body with the schema and drops unknown members. Throws `validation_failed`. */
export function accept<Schema extends v.GenericSchema>(schema: Schema, body: unknown): v.InferOutput<Schema> {
  const result = validate(schema, body)
  if (result.success) return result.output
  const wrong = result.wrong.map(({ path }) => path).filter(Boolean)
  throw new AuthError(
    'validation_failed',
    wrong.length > 0 ? { message: `Missing or invalid: ${wrong.join(', ')}.` } : {},
  )
}

function acceptOnlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const options = { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES } as const
  app.addContentTypeParser('application/json', options, async (_request: unknown, text: string): Promise<unknown> => {
    // auth-js sends a content type even without a body.
    if (text === '') return undefined
    try {
      return JSON.parse(text)
    } catch {
      throw new AuthError('bad_json')
    }
  })
}

function sendError(reply: FastifyReply, error: AuthError): FastifyReply {
  const { code, message, status, reasons, retryAfterSeconds = RETRY_AFTER_SECONDS } = error
  if (status === 429 || status === 503) reply.header('retry-after', String(retryAfterSeconds))
  // Errors from earlier hooks have no headers yet.
  reply.headers(HEADERS)
  const body = { code, error_code: code, message, msg: message, ...(reasons && { weak_password: { reasons } }) }
  return reply.status(status).send(body)
}

/** Maps errors of Fastify about a request to our codes; null for a failure of the server. */
function asAuthError(error: Error): AuthError | null {
  if (error instanceof AuthError) return error
  if (error instanceof Refusal && error.code === 'unavailable') return new AuthError('unexpected_failure')
  if (isRefusedValue(error)) return new AuthError('validation_failed')
  const status = 'statusCode' in error ? error.statusCode : 500
  if (status === 413) return new AuthError('body_too_large')
  if (status === 415) return new AuthError('json_required')
  if (typeof status === 'number' && status >= 400 && status < 500) return new AuthError('validation_failed')
  return null
}
