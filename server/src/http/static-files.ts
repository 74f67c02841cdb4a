import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { APP_PAGES } from '@deeb/core/app-pages'
import { LANGUAGES } from '@deeb/core/languages'
import { LEGAL_PATHS, SITE_PATHS, sitePathIn } from '@deeb/core/paths'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { Refusal } from '../lib/refusal.ts'
import { API_PATH, sendRefusal } from './errors.ts'
import type { SendNotFoundPage } from './not-found-page.ts'
import { compress, type SendCached } from './send-cached.ts'
import { sitePages } from './site-pages.ts'

const YEAR_SECONDS = 31_536_000
const PAGES: ReadonlySet<string> = new Set<string>([
  ...APP_PAGES,
  ...LANGUAGES.flatMap((language) =>
    [...Object.values(SITE_PATHS), ...Object.values(LEGAL_PATHS)].map((path) => sitePathIn(language, path)),
  ),
])
/** The files that are served by their name. Pages have paths without an extension. */
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.tgz': 'application/gzip',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.zip': 'application/zip',
}
/** Compressed already. */
const COMPRESSED = new Set(['.png', '.tgz', '.woff2', '.zip'])

interface StaticFilesDeps {
  config: Config
  webRoot: string
  sendCached: SendCached
  sendNotFoundPage: SendNotFoundPage
}

/** Serves the built web from `webRoot`: public pages, the app's page, their files and the not-found page. */
export async function staticFiles(app: FastifyInstance, deps: StaticFilesDeps): Promise<void> {
  redirectToPublicUrl(app, deps.config)
  await builtFiles(app, deps)
  sitePages(app, deps)
  app.setNotFoundHandler((request, reply) => {
    if (API_PATH.test(request.url) || !['GET', 'HEAD'].includes(request.method)) {
      return sendRefusal(reply, request, new Refusal('not_found'))
    }
    const [path = '', query] = request.url.split(/(?=\?)/)
    if (PAGES.has(path.replace(/\/+$/, ''))) {
      return reply.redirect(path.replace(/\/+$/, '') + (query ?? ''), 308)
    }
    return deps.sendNotFoundPage(request, reply)
  })
}

/**
 * Serves the files of the build that are no page, compressed as a release did. Only names that exist at the start are served, and no
 * response holds an open file (decision 25).
 */
async function builtFiles(app: FastifyInstance, { webRoot, sendCached }: Omit<StaticFilesDeps, 'config'>) {
  const names = new Set((await readdir(webRoot, { recursive: true })).map((name) => name.replaceAll(sep, '/')))
  app.get<{ Params: { '*': string } }>('/*', (request, reply) => {
    const name = request.params['*']
    const type = TYPES[extname(name)]
    if (!type || !names.has(name)) return reply.callNotFound()
    // Names under assets/ contain a hash of the content.
    const cacheControl = name.startsWith('assets/') ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache'
    return sendCached(request, reply, name, async (encoding) => {
      // Synchronous, so that a thousand first requests open one file at a time.
      const read = (file: string) => ({ type, body: readFileSync(join(webRoot, file)), cacheControl })
      if (encoding === 'br' && names.has(`${name}.br`)) return { ...read(`${name}.br`), encoding }
      return compress(read(name), COMPRESSED.has(extname(name)) ? 'identity' : encoding)
    })
  })
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
