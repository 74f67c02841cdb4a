import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { ErrorBody } from '@deeb/core/errors'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AuthError } from '../auth/http/auth-error.ts'
import { DatabaseOutage, isRefusedValue, violatedConstraint } from '../db/db.ts'
import { Refusal } from '../lib/refusal.ts'
import type { SendNotFoundPage } from './not-found-page.ts'
import { SECURITY_HEADERS, stampHeaders } from './security-headers.ts'

const MESSAGES = {
  invalid_input: 'The request is not valid for this URL.',
  invalid_time_zone: 'The time zone is not a known IANA name.',
  invalid_email: 'This is not a valid email address.',
  not_signed_in: 'Sign in first.',
  aal2_required: 'Enter a code of your second factor first.',
  second_factor_required: 'Your company requires a second factor. Add an authenticator app or a passkey first.',
  wrong_password: 'The password is wrong.',
  proof_needed: 'Confirm that it is you first.',
  scope_needed: 'This personal access token does not have the scope for this call.',
  not_found: 'This was not found.',
  session_not_found: 'This session does not exist or can no longer be changed.',
  link_expired: 'This link has expired or was already used.',
  session_overlaps: 'This overlaps another session.',
  too_late: 'This switch is more than 7 days old.',
  ahead_of_time: 'The time of this switch is in the future. Check the clock of the device.',
  too_many_sessions: 'This day already has 300 sessions, the maximum.',
  too_many_alerts: 'You wait for too many colleagues already.',
  too_many_knocks: 'You have knocked in this session already, or three times in 24 hours.',
  too_many_webhooks: 'You have 10 webhooks, the maximum. Delete one first.',
  download_running: 'A download of your data is already running.',
  username_taken: 'This username is already taken.',
  chat_refused: 'The chat system refused this.',
  chat_taken: 'Another person has connected this chat account.',
  chat_unavailable: 'The chat system does not answer. Try again later.',
  request_exists: 'You have already sent this person a request.',
  connection_exists: 'You are already connected with this person.',
  circles_off: 'This server has no circles.',
  quiet_times_changed: 'The quiet times of this circle have changed. Look at them again.',
  circle_full: 'This circle is full.',
  too_many_circles: 'You are in 10 circles, or have created 5 in a day, the maximum. Leave one, or try again tomorrow.',
  too_many_cases: 'You have 5 codes for cases. Revoke one first.',
  too_many_signs: 'You have 5 door signs, or the circle has one already. Revoke one first.',
  too_many_tokens: 'You have 20 personal access tokens, the maximum. Revoke one first.',
  body_too_large: 'The request is too large.',
  json_required: 'The request must be JSON.',
  too_many_attempts: 'Too many attempts. Try again later.',
  unavailable: 'The server cannot answer right now. Try again shortly.',
} as const

/** Paths that always respond with JSON. */
export const API_PATH = /^\/(api|auth)\//

/** Turns whatever a handler throws into the one error shape. An unexpected error becomes a 503 and is logged. */
export function answerErrors(app: FastifyInstance, sendNotFoundPage: SendNotFoundPage): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = asRefusal(error as Error)
    if (refusal?.status === 400 && isForPage(request)) return sendNotFoundPage(request, reply)
    // An outage has its own lines (outage-log.ts).
    const isOutage = error instanceof DatabaseOutage
    if (!refusal && !isOutage) request.log.error({ err: error, requestId: request.id }, 'request failed')
    sendRetryAfter(reply, error as Error)
    return sendRefusal(reply, request, refusal ?? new Refusal('unavailable'))
  })
}

/** Responds to a URL that cannot be decoded. It reaches no hook, so the headers are set here. */
export function answerMalformedUrl(publicUrl: string, sendNotFoundPage: SendNotFoundPage) {
  const stamp = stampHeaders(publicUrl)
  return (_error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    stamp(request, reply)
    if (!isForPage(request)) sendRefusal(reply, request, new Refusal('invalid_input'))
    else sendNotFoundPage(request, reply).catch(() => sendRefusal(reply, request, new Refusal('unavailable')))
  }
}

/** Whether a browser asks for a page: then the response is the not-found page, not JSON. */
function isForPage({ method, url, headers }: FastifyRequest): boolean {
  return ['GET', 'HEAD'].includes(method) && !API_PATH.test(url) && Boolean(headers.accept?.includes('text/html'))
}

/** Responds on the bare socket to a request that is not valid HTTP or has oversized headers. */
export function answerMalformedRequest(_error: Error, socket: Socket): void {
  if (!socket.writable) return
  const body = JSON.stringify(errorBody(new Refusal('invalid_input'), randomUUID()))
  const headers = { ...SECURITY_HEADERS, 'content-type': 'application/json; charset=utf-8', connection: 'close' }
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body) }).map(([k, v]) => `${k}: ${v}`)
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

/** Sets `Retry-After` for an error of a rate limit. */
export function sendRetryAfter(reply: FastifyReply, error: Error): void {
  if ((error instanceof AuthError || error instanceof Refusal) && error.retryAfterSeconds) {
    reply.header('retry-after', String(error.retryAfterSeconds))
  }
}

export function sendRefusal(reply: FastifyReply, request: FastifyRequest, refusal: Refusal): FastifyReply {
  if (refusal.code === 'unavailable') reply.header('retry-after', '5')
  const body = errorBody(refusal, request.id)
  return reply.status(refusal.status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

function errorBody({ code, fields }: Refusal, requestId: string): ErrorBody {
  return { code, message: MESSAGES[code], requestId, ...(fields ? { fields } : {}) }
}

/** The Refusal for an error that the request caused, Fastify's own included; null for a failure of the server. */
function asRefusal(error: Error | FastifyError): Refusal | null {
  if (error instanceof Refusal) return error
  // Product endpoints that ask for a password use the rate limits of the account service.
  if (error instanceof AuthError && error.status === 429) return new Refusal('too_many_attempts')
  // Another process deleted the account, and its change event has not arrived yet.
  if (violatedConstraint(error)?.endsWith('_user_id_fkey')) return new Refusal('not_signed_in')
  if (isRefusedValue(error)) return new Refusal('invalid_input')
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
  if (status === 413) return new Refusal('body_too_large')
  if (status === 415) return new Refusal('json_required')
  if (status >= 400 && status < 500) return new Refusal('invalid_input')
  return null
}
