import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { DatabaseOutage } from '../db/db.ts'
import { Refusal } from '../lib/refusal.ts'
import type { TokenBucketRule } from '../limits/rate-limit-store.ts'
import { sendRetryAfter } from './errors.ts'
import type { LimitIps } from './rate-limit.ts'

const FORM_LIMIT_BYTES = 2048

interface FormDeps {
  config: Config
  ipRateLimit: LimitIps
  now(): Date
}

interface FormCall {
  fields: URLSearchParams
  /** The parsed query of the form's action. */
  query: unknown
  now: Date
}

/**
 * Serves the form of a page: `save` stores the fields. A Refusal redirects back to the form, at `pageOf` of the parsed query,
 * by default its plain path.
 */
export type ServeForm = (
  path: string,
  limit: TokenBucketRule,
  save: (call: FormCall) => Promise<unknown>,
  pageOf?: (query: unknown) => string,
) => void

/**
 * Handles no-script form posts: POST, then 303 to the same page with the outcome in the fragment, never a JSON body
 * (post/redirect/get). Accepts forms of our own pages only. `app` must be a context of its own, so that no other route parses
 * form bodies.
 */
export function serveFormOn(app: FastifyInstance, { config, ipRateLimit, now }: FormDeps): ServeForm {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
  )
  return (path, limit, save, pageOf = () => path) => {
    const errorHandler = (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      sendRetryAfter(reply, error)
      if (isFault(error)) request.log.error({ err: error, requestId: request.id }, 'form not saved')
      return redirectBack(reply, pageOf(request.query), isInvalidEmail(error) ? 'not-saved' : 'not-now')
    }
    app.post(path, { errorHandler, ...ipRateLimit(limit) }, async (request, reply) => {
      const fields = request.body
      if (!(fields instanceof URLSearchParams)) throw new Refusal('invalid_input')
      refuseOtherSites(request, config)
      await save({ fields, query: request.query, now: now() })
      return redirectBack(reply, pageOf(request.query), 'saved')
    })
  }
}

function redirectBack(reply: FastifyReply, page: string, view: 'saved' | 'not-saved' | 'not-now'): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(`${page}#${view}`, 303)
}

/** Errors that the visitor can fix; everything else says "try again later". */
function isInvalidEmail(error: Error): boolean {
  return error instanceof Refusal && error.code === 'invalid_email'
}

/** Whether the server failed, rather than the request. An outage has its own lines (outage-log.ts). */
function isFault(error: Error | FastifyError): boolean {
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
  return !(error instanceof Refusal) && !(error instanceof DatabaseOutage) && status >= 500
}

/**
 * CSRF protection: otherwise another site could make its visitors fill our lists. Our pages send no referrer, so browsers send
 * `Origin: null`; Sec-Fetch-Site decides first, and no page can forge it.
 */
function refuseOtherSites({ headers }: FastifyRequest, { publicUrl }: Config): void {
  const site = headers['sec-fetch-site']
  const { origin } = headers
  if (site !== undefined && site !== 'same-origin') throw new Refusal('invalid_input')
  if (origin !== undefined && origin !== 'null' && origin !== publicUrl) throw new Refusal('invalid_input')
}
