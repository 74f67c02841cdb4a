import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Connect, Plugin, ViteDevServer } from 'vite'
import { LANGUAGE_QUERY, LANGUAGES } from '../core/src/languages.ts'
import { APP_PATHS, LEGAL_PATHS, type LegalPath, SITE_PATHS, type SitePath, sitePathIn } from '../core/src/paths.ts'
import { SETTINGS_PARTS, settingsPath } from '../core/src/settings-parts.ts'
import { SIGN_PATH } from '../core/src/signs/display.ts'
import { purposeIn } from '../core/src/visitors/coming-soon.ts'
import { inLanguage } from './page-language.ts'
import { importModule, languageOfUrl } from './static-pages.ts'

/** Paths of the server that are not pages, and legal pages without a text, which it redirects. Vite proxies them. */
const SERVER_PATHS = `^/(api|auth|outbox|unsubscribe|\\.well-known|healthz|metrics|sitemap\\.xml|robots\\.txt|favicon\\.ico|((${LANGUAGES.join('|')})/)?(privacy|terms|imprint))(/|\\?|$)`
/** The public pages whose forms work without script: a POST goes to the server, the page comes from Vite. */
const FORM_PATHS = `^(/(${LANGUAGES.join('|')}))?(${SITE_PATHS.comingSoon}|${SITE_PATHS.waitlist}|${SIGN_PATH})(\\?|$)`

/** Pages that the server fills with its settings. */
const FILLED_PATHS: readonly string[] = [...Object.values(SITE_PATHS), ...Object.values(LEGAL_PATHS)]
/** The page of the share pictures, which no server has. */
const SHARE_CARDS = '/share-cards.html'
const APP_PAGES: string[] = [...Object.values(APP_PATHS), ...SETTINGS_PARTS.map(settingsPath)]
const PAGE_OF_PATH = new Map<string, string>([
  ...APP_PAGES.map((path) => [path, '/app.html'] as const),
  [SIGN_PATH, '/sign.html'],
  [SHARE_CARDS, SHARE_CARDS],
  ...LANGUAGES.flatMap((language) =>
    FILLED_PATHS.map((path) => [sitePathIn(language, path), path === '/' ? '/index.html' : `${path}.html`] as const),
  ),
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
      server.middlewares.use((request: Request, _response, next) => {
        const { pathname, searchParams } = new URL(request.url ?? '', api)
        const page = PAGE_OF_PATH.get(pathname)
        if (!page || request.method === 'POST') return next()
        prepare(request, pathname, searchParams).then((isThere) => {
          if (isThere) request.url = `${page}?${searchParams}`
          next()
        }, next)
      })
      return () => answerUnknownPages(server)
    },
    async transformIndexHtml(html, { server, originalUrl = '' }) {
      const [localized = '', query] = originalUrl.split('?')
      const language = languageOfUrl(originalUrl)
      if (APP_PAGES.includes(localized)) return inLanguage(html, language)
      const path = FILLED_PATHS.find((filled) => sitePathIn(language, filled) === localized)
      if (path === undefined) return html
      const [origin = ''] = server?.resolvedUrls?.local ?? []
      const { fillPage, content } = await readContent()
      return fillPage(html, {
        language,
        path: path as SitePath | LegalPath,
        purpose: path === SITE_PATHS.comingSoon ? purposeIn(Object.fromEntries(new URLSearchParams(query))) : undefined,
        content: { ...content, publicUrl: origin.replace(/\/$/, '') },
      })
    },
    // Static pages are rendered from modules and texts that no browser loads, so hot replacement reaches only their style sheets.
    handleHotUpdate({ file, modules, server }) {
      const isLoaded = modules.some(({ type }) => type === 'js')
      if (!isLoaded && /\.[jt]sx?$/.test(file)) server.ws.send({ type: 'full-reload' })
    },
  }
}

/** Vite reads `originalUrl` before `url`. */
type Request = Connect.IncomingMessage

/**
 * Puts the language of a request into its URL, for the pages that have no path per language. False if there is no page now: a legal
 * page needs its text.
 */
async function prepare(request: Request, path: string, query: URLSearchParams): Promise<boolean> {
  const isLegal = Object.values(LEGAL_PATHS).some((legal) => path.endsWith(legal))
  if (isLegal && !(await readContent()).content.legalTexts.has(path)) return false
  request.originalUrl = `${path}?${await withLanguage(request, query)}`
  return true
}

async function withLanguage({ url = '', headers }: Request, query: URLSearchParams): Promise<URLSearchParams> {
  const { languageOfPage } = await importModule<typeof import('../server/src/language.ts')>('../server/src/language.ts')
  query.set(LANGUAGE_QUERY, languageOfPage({ url, headers, query: Object.fromEntries(query) }))
  return query
}

/** What the settings put into pages, by the server's own modules. Read for each page, so that an edit is shown after a reload. */
async function readContent() {
  const { readConfig } = await importModule<typeof import('../server/src/config.ts')>('../server/src/config.ts')
  const { fillPage, readSiteContent } = await importModule<typeof import('../server/src/http/site-content.ts')>(
    '../server/src/http/site-content.ts',
  )
  return { fillPage, content: readSiteContent(readConfig(process.env)) }
}

/** Answers a page that does not exist with the not-found page and a 404. */
function answerUnknownPages(server: ViteDevServer): void {
  server.middlewares.use(async (request, response, next) => {
    const { url = '', headers } = request
    const isPage = headers.accept?.includes('text/html')
    if (!isPage || [...PAGE_OF_PATH.values()].includes(url.replace(/\?.*$/, ''))) return next()
    const original = `/not-found.html?${await withLanguage(request, new URLSearchParams())}`
    const html = await server.transformIndexHtml('/not-found.html', await readFile(NOT_FOUND_PAGE, 'utf8'), original)
    response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  })
}
