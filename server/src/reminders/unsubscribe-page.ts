import { UNSUBSCRIBE_PATH } from '@deeb/core/paths'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { updateRequestEmails } from '../account/update-request-emails.ts'
import type { Keys } from '../config/keys.ts'
import type { Db } from '../db/db.ts'
import { DatabaseOutage } from '../db/db.ts'
import { readBuiltPage } from '../http/built-page.ts'
import type { LimitIps } from '../http/rate-limit.ts'
import { languageOf } from '../lib/language.ts'
import { Refusal } from '../lib/refusal.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { userOfLink } from './unsubscribe-link.ts'

/** A part of the built page, which hides all of them: a question, what happened, or why nothing did. */
type View = 'ask' | 'stopped' | 'wrong-link' | 'failed'

const BODY_LIMIT_BYTES = 4096

interface UnsubscribeDeps {
  db: Db
  keys: Pick<Keys, 'unsubscribeKeys'>
  webRoot: string
  ipRateLimit: LimitIps
}

/**
 * Stops emails about connection requests, without sign-in. GET shows a page with one button, since scanners of emails follow links;
 * POST does it, from that button or by a mail provider (RFC 8058). The pages show nothing about the person. `app` must be a context
 * of its own, so that no other route ignores bodies.
 */
export async function unsubscribePage(
  app: FastifyInstance,
  { db, keys, webRoot, ipRateLimit }: UnsubscribeDeps,
): Promise<void> {
  // The link says everything. Providers send a form, in one of two encodings.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES }, async () => null)

  function send(request: FastifyRequest, reply: FastifyReply, status: number, view: View): FastifyReply {
    const page = readBuiltPage(webRoot, languageOf(request), 'unsubscribe')
    const shown = page.replaceAll(` hidden="" data-view="${view}"`, ` data-view="${view}"`)
    return reply.status(status).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(shown)
  }

  // A browser gets a page also for a failure, a mail provider the error of any other route.
  app.setErrorHandler<FastifyError | DatabaseOutage>((error, request, reply) => {
    if (!request.headers.accept?.includes('text/html')) throw error
    const status = error instanceof Refusal ? error.status : 'statusCode' in error ? (error.statusCode ?? 503) : 503
    if (status >= 500 && !(error instanceof DatabaseOutage))
      request.log.error({ err: error, requestId: request.id }, 'emails not stopped')
    return send(request, reply, status, 'failed')
  })

  app.get(UNSUBSCRIBE_PATH, async (request, reply) =>
    userOfLink(keys, request.query) === null
      ? send(request, reply, 404, 'wrong-link')
      : send(request, reply, 200, 'ask'),
  )
  app.post(UNSUBSCRIBE_PATH, ipRateLimit(LIMITS.unsubscribe), async (request, reply) => {
    const userId = userOfLink(keys, request.query)
    if (userId === null) return send(request, reply, 404, 'wrong-link')
    await updateRequestEmails(db, { userId }, { requestEmails: false })
    return send(request, reply, 200, 'stopped')
  })
}
