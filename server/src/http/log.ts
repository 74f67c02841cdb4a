import type { Server } from 'node:http'
import { type FastifyHttpOptions, type FastifyInstance, LogController } from 'fastify'
import type { Config } from '../config/config.ts'
import { printable } from '../lib/printable.ts'

export interface LogSink {
  write(line: string): void
}

const MAX_FRAMES = 8

/**
 * The log: one JSON object a line, to standard output or to a test's `sink`. It contains no personal data and no credentials: no
 * email or IP address, no body, no header, no query string.
 */
export function logTo(
  sink: LogSink | undefined,
  { logLevel }: Pick<Config, 'logLevel'>,
): Pick<FastifyHttpOptions<Server>, 'logController' | 'logger'> {
  return {
    // Fastify's own lines contain the IP address and URL of each request.
    logController: new LogController({ disableRequestLogging: true }),
    logger: {
      level: logLevel,
      serializers: { err: factsOf, req: () => ({}) },
      ...(sink && { stream: sink }),
    },
  }
}

/** Logs each response at level debug, by the route's pattern: ids and queries are left out. */
export function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request
    const ms = Math.round(reply.elapsedTime * 10) / 10
    request.log.debug({ method, route: routeOptions.url ?? null, status: reply.statusCode, ms }, 'answered')
    done()
  })
}

/** The loggable facts of an error. A database error keeps names only: its messages quote values. */
function factsOf(error: Error) {
  const { code, severity, constraint, table, routine, error: oauth } = error as Error & Record<string, unknown>
  const isFromDatabase = severity !== undefined
  // The answer of an identity provider or a chat system (RFC 6749): its reason says more than the stack.
  if (typeof oauth === 'string') return { type: error.name, message: oauthReason(error as OAuthError), code, stack: '' }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    message: isFromDatabase ? 'The database refused a statement.' : error.message,
    ...(code !== undefined && { code }),
    ...(isFromDatabase && { constraint, table, routine }),
    stack: frames.slice(0, MAX_FRAMES).join('\n'),
  }
}

interface OAuthError extends Error {
  error: string
  error_description?: unknown
}

/** Errors about this server. The descriptions of others may name the person who signs in. */
const ABOUT_THIS_SERVER = ['invalid_client', 'unauthorized_client', 'invalid_request', 'server_error']
const MAX_REASON_CHARACTERS = 300

function oauthReason({ error, error_description }: OAuthError): string {
  const isShown = ABOUT_THIS_SERVER.includes(error) && typeof error_description === 'string'
  return printable(isShown ? `${error}: ${error_description}` : error).slice(0, MAX_REASON_CHARACTERS)
}
