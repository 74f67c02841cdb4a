import type { SitePath } from '@deeb/core/paths'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { TokenBucketRule } from '../limits/rate-limit-store.ts'
import { Refusal } from '../refusal.ts'
import type { IpRateLimit } from './rate-limit.ts'

const FORM_LIMIT_BYTES = 2048

interface FormDeps {
  config: Config
  ipRateLimit: IpRateLimit
  now(): Date
}

interface FormCall {
  fields: URLSearchParams
  now: Date
}

/** `save` takes what a page's form has sent; a Refusal of its leads back to the form. */
export type ServeForm = (path: SitePath, limit: TokenBucketRule, save: (call: FormCall) => Promise<unknown>) => void

/**
 * How a form that a browser sends without script becomes a route: the page takes its own form, and answers with the way
 * back to itself, where the fragment says which of its views to show: whatever goes wrong, nobody is left with an answer for programs. A redirect, so that a reload sends nothing again.
 * Only forms of our own pages are taken. `app` must be a context of its own: nothing else shall read such bodies.
 */
export function serveFormOn(app: FastifyInstance, { config, ipRateLimit, now }: FormDeps): ServeForm {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
  )
  return (path, limit, save) => {
    const errorHandler = (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      if (isFault(error)) request.log.error({ err: error, requestId: request.id }, 'form not saved')
      return leadBack(reply, path, isInvalidEmail(error) ? 'not-saved' : 'not-now')
    }
    app.post(path, { errorHandler, ...ipRateLimit(limit) }, async (request, reply) => {
      const fields = request.body
      if (!(fields instanceof URLSearchParams)) throw new Refusal('invalid_input')
      refuseOtherSites(request, config)
      await save({ fields, now: now() })
      return leadBack(reply, path, 'saved')
    })
  }
}

function leadBack(reply: FastifyReply, path: SitePath, view: 'saved' | 'not-saved' | 'not-now'): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(`${path}#${view}`, 303)
}

/** What the visitor can mend; for all else there is only another time. */
function isInvalidEmail(error: Error): boolean {
  return error instanceof Refusal && error.code === 'invalid_email'
}

/** Ours, and not a request that is no form of ours. */
function isFault(error: Error | FastifyError): boolean {
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
  return !(error instanceof Refusal) && status >= 500
}

/**
 * Nothing can be stolen with such a form, but a foreign page could make its visitors fill our lists. Our pages send no
 * referrer, for which browsers write `Origin: null`, so what counts first is Sec-Fetch-Site, which no page can forge.
 */
function refuseOtherSites({ headers }: FastifyRequest, { publicUrl }: Config): void {
  const site = headers['sec-fetch-site']
  const { origin } = headers
  if (site !== undefined && site !== 'same-origin') throw new Refusal('invalid_input')
  if (origin !== undefined && origin !== 'null' && origin !== publicUrl) throw new Refusal('invalid_input')
}
