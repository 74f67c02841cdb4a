import { LANGUAGES } from '@deeb/core/languages'
import { APP_PATHS, LEGAL_PATHS, SITE_PATHS, sitePathIn } from '@deeb/core/paths'
import { SETTINGS_PARTS, settingsPath } from '@deeb/core/settings-parts'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { languageOfPage, VARY_BY_LANGUAGE } from '../language.ts'
import { Refusal } from '../refusal.ts'
import { builtPage } from './built-page.ts'
import { API_PATH, sendRefusal } from './errors.ts'
import { sitePages } from './site-pages.ts'

const YEAR_SECONDS = 31_536_000
const PAGES: ReadonlySet<string> = new Set<string>([
  ...Object.values(APP_PATHS),
  ...LANGUAGES.flatMap((language) =>
    [...Object.values(SITE_PATHS), ...Object.values(LEGAL_PATHS)].map((path) => sitePathIn(language, path)),
  ),
  ...SETTINGS_PARTS.map(settingsPath),
])
/** Pages have paths without an extension, and compressed files are chosen by Accept-Encoding: neither is served by file name. Nor is a folder. */
const NOT_BY_NAME = /^\/.*(\.(html|br|gz)|\/)$/
const CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']

/**
 * Serves the built web from `webRoot`: public pages, the app's page and the not-found page. Sends the files that the build
 * compressed, brotli first.
 */
export async function staticFiles(app: FastifyInstance, config: Config, webRoot: string): Promise<void> {
  redirectToPublicUrl(app, config)
  await app.register(fastifyStatic, {
    root: webRoot,
    index: false,
    acceptRanges: false,
    cacheControl: false,
    preCompressed: true,
    allowedPath: (path) => !NOT_BY_NAME.test(path),
    setHeaders: (reply, path) => {
      // Names under assets/ contain a hash of the content. Other files are revalidated by ETag each time.
      const isHashed = path.includes('/assets/') || path.includes('\\assets\\')
      reply.header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
      reply.header('vary', path.endsWith('not-found.html') ? `Accept-Encoding, ${VARY_BY_LANGUAGE}` : 'Accept-Encoding')
    },
  })
  sitePages(app, config, webRoot)
  app.setNotFoundHandler((request, reply) => {
    if (API_PATH.test(request.url) || !['GET', 'HEAD'].includes(request.method)) {
      return sendRefusal(reply, request, new Refusal('not_found'))
    }
    const [path = '', query] = request.url.split(/(?=\?)/)
    if (PAGES.has(path.replace(/\/+$/, ''))) {
      return reply.redirect(path.replace(/\/+$/, '') + (query ?? ''), 308)
    }
    return sendNotFoundPage(request, reply)
  })
}

/** Ignores conditional headers and sends no ETag: a 304 or 412 would have no page to read. */
function sendNotFoundPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  for (const condition of CONDITIONS) delete request.raw.headers[condition]
  return reply
    .status(404)
    .sendFile(builtPage('', languageOfPage(request), 'not-found'), { etag: false, lastModified: false })
}

/**
 * Redirects pages from 127.0.0.1 to localhost if PUBLIC_URL is not set. Browsers store tokens per origin, and links in emails
 * lead to localhost.
 */
function redirectToPublicUrl(app: FastifyInstance, config: Config): void {
  if (config.publicUrlIsSet) return
  app.addHook('onRequest', async (request, reply) => {
    const isPage = request.headers.accept?.includes('text/html')
    if (request.hostname === '127.0.0.1' && isPage) return reply.redirect(config.publicUrl + request.url)
  })
}
