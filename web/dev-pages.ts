import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Plugin, ViteDevServer } from 'vite'
import { APP_PATHS, ORIGIN_PLACEHOLDER, SITE_PATHS } from '../core/src/paths.ts'
import { fillPurpose, purposeIn } from '../core/src/visitors/coming-soon.ts'

/** Paths of the server that are not pages. Vite proxies them. */
const SERVER_PATHS =
  '^/(api|auth|outbox|\\.well-known|healthz|metrics|sitemap\\.xml|robots\\.txt|favicon\\.ico)(/|\\?|$)'
/** The public pages whose forms work without script: a POST goes to the server, the page comes from Vite. */
const FORM_PATHS = `^(${SITE_PATHS.comingSoon}|${SITE_PATHS.waitlist})(\\?|$)`

const PAGE_OF_PATH = new Map<string, string>([
  ...Object.values(APP_PATHS).map((path) => [path, '/app.html'] as const),
  ...Object.values(SITE_PATHS).map((path) => [path, path === '/' ? '/index.html' : `${path}.html`] as const),
])
const NOT_FOUND_PAGE = fileURLToPath(new URL('not-found.html', import.meta.url))

/**
 * Serves every page at its path in development, as the server does in production. Everything else is proxied to `api`, the
 * origin of the server.
 */
export function devPages(api: string): Plugin {
  return {
    name: 'deeb-dev-pages',
    apply: 'serve',
    config: () => ({
      server: {
        proxy: {
          [SERVER_PATHS]: api,
          [FORM_PATHS]: { target: api, bypass: ({ method, url }) => (method === 'POST' ? undefined : url) },
        },
      },
    }),
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const [path = '', query] = (request.url ?? '').split(/(?=\?)/)
        const page = PAGE_OF_PATH.get(path)
        if (page && request.method !== 'POST') request.url = page + (query ?? '')
        next()
      })
      return () => answerUnknownPages(server)
    },
    transformIndexHtml: (html, { server, originalUrl = '' }) => {
      const [origin = ''] = server?.resolvedUrls?.local ?? []
      const page = html.replaceAll(ORIGIN_PLACEHOLDER, origin.replace(/\/$/, ''))
      const purpose = purposeIn(Object.fromEntries(new URLSearchParams(originalUrl.split('?')[1])))
      return purpose ? fillPurpose(page, purpose) : page
    },
    // Static pages are rendered from modules that no browser loads, so hot replacement reaches only their style sheets.
    handleHotUpdate({ file, modules, server }) {
      const isLoaded = modules.some(({ type }) => type === 'js')
      if (!isLoaded && /\.tsx?$/.test(file)) server.ws.send({ type: 'full-reload' })
    },
  }
}

/** Answers a page that does not exist with the not-found page and a 404. */
function answerUnknownPages(server: ViteDevServer): void {
  server.middlewares.use(async (request, response, next) => {
    const { url = '', headers } = request
    const isPage = headers.accept?.includes('text/html')
    if (!isPage || [...PAGE_OF_PATH.values()].includes(url.replace(/\?.*$/, ''))) return next()
    const html = await server.transformIndexHtml('/not-found.html', await readFile(NOT_FOUND_PAGE, 'utf8'))
    response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  })
}
