import { APP_PATHS } from '@deeb/core/paths'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../config.ts'
import { Refusal } from '../refusal.ts'
import { sendRefusal } from './errors.ts'

const YEAR_SECONDS = 31_536_000
const PAGES: ReadonlySet<string> = new Set(Object.values(APP_PATHS))
const API_PATH = /^\/(api|auth)\//

/** The built web from `webRoot`: one page for all screens of the app, the not-found page for what is no page. */
export async function staticFiles(app: FastifyInstance, config: Config, webRoot: string): Promise<void> {
  redirectToPublicUrl(app, config)
  await app.register(fastifyStatic, {
    root: webRoot,
    index: false,
    acceptRanges: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Names under assets/ carry a hash of their content; the rest is asked for anew each time, and answered by ETag.
      const isHashed = path.includes('/assets/') || path.includes('\\assets\\')
      reply.header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
    },
  })
  for (const path of PAGES) app.get(path, (_request, reply) => reply.sendFile('app.html'))
  app.get('/', (_request, reply) => reply.redirect(APP_PATHS.signIn))
  app.setNotFoundHandler((request, reply) => {
    if (API_PATH.test(request.url) || !['GET', 'HEAD'].includes(request.method)) {
      return sendRefusal(reply, request, new Refusal('not_found'))
    }
    const [path = '', query] = request.url.split(/(?=\?)/)
    if (PAGES.has(path.replace(/\/+$/, ''))) return reply.redirect(path.replace(/\/+$/, '') + (query ?? ''))
    return sendNotFoundPage(reply)
  })
}

function sendNotFoundPage(reply: FastifyReply): FastifyReply {
  // Without an ETag: a conditional request would be answered 404 with nothing to read.
  return reply.status(404).sendFile('not-found.html', { etag: false, lastModified: false })
}

/**
 * Tokens are kept per origin, so one browser must not meet the product under two names: without a PUBLIC_URL the
 * links in mails say localhost, and a page asked for at 127.0.0.1 is sent there.
 */
function redirectToPublicUrl(app: FastifyInstance, config: Config): void {
  if (config.publicUrlIsSet) return
  app.addHook('onRequest', async (request, reply) => {
    const isPage = request.headers.accept?.includes('text/html')
    if (request.hostname === '127.0.0.1' && isPage) return reply.redirect(config.publicUrl + request.url)
  })
}
