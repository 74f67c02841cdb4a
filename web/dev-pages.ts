import { fileURLToPath } from 'node:url'
import type { Connect, Plugin, ViteDevServer } from 'vite'
import { TAP_PATH } from '../core/src/cases/case.ts'
import { LANGUAGE_QUERY, LANGUAGES, type Language } from '../core/src/languages.ts'
import { APP_PATHS, LEGAL_PATHS, type LegalPath, SITE_PATHS, type SitePath, sitePathIn } from '../core/src/paths.ts'
import { SETTINGS_PARTS, settingsPath } from '../core/src/settings-parts.ts'
import { SIGN_PATH } from '../core/src/signs/display.ts'
import { YEAR_PATH } from '../core/src/stats/year.ts'
import { legalPathOf, purposeIn } from '../core/src/visitors/coming-soon.ts'
import { appPageIn } from './languages.ts'
import { importModule, renderPage } from './static-pages.ts'

/** Paths of the server that are not pages. Vite proxies them. */
const SERVER_PATHS = `^/(api|auth|outbox|unsubscribe|\\.well-known|healthz|metrics|sitemap\\.xml|robots\\.txt|favicon\\.ico)(/|\\?|$)`
/** The public pages whose forms work without script: a POST goes to the server, and so does what `answer` leaves to its redirects. */
const FORM_PATHS = `^(/(${LANGUAGES.join('|')}))?(${SITE_PATHS.comingSoon}|${SITE_PATHS.waitlist}|${SIGN_PATH})(\\?|$)`

/** The compiled texts. Those of static pages are in no script that a browser loads. */
const TEXTS_FOLDER = fileURLToPath(new URL('../texts/dist/', import.meta.url))

/** Pages that the server fills with its settings. */
const FILLED_PATHS = [...Object.values(SITE_PATHS), ...Object.values(LEGAL_PATHS)]
/** The page of the share pictures, which no server has. */
const SHARE_CARDS = '/share-cards.html'
const APP_PAGES: string[] = [TAP_PATH, ...Object.values(APP_PATHS), ...SETTINGS_PARTS.map(settingsPath), YEAR_PATH]

/** A static page at its path. */
interface StaticPage {
  /** The name of its file. */
  name: string
  /** Its path in English, if the server fills it with its settings. */
  filled?: SitePath | LegalPath
}

const STATIC_PAGES = new Map<string, StaticPage>([
  [SIGN_PATH, { name: 'sign' }],
  [SHARE_CARDS, { name: 'share-cards' }],
  ...LANGUAGES.flatMap((language) =>
    FILLED_PATHS.map(
      (path) => [sitePathIn(language, path), { name: path === '/' ? 'index' : path.slice(1), filled: path }] as const,
    ),
  ),
])

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
          [FORM_PATHS]: api,
        },
      },
    }),
    configureServer(server) {
      server.watcher.add(TEXTS_FOLDER)
      server.middlewares.use((request: Request, response, next) => {
        if (request.method === 'POST') return next()
        answer(server, request).then((html) => {
          if (html === null) return next()
          response.writeHead(200, HTML).end(html)
        }, next)
      })
      return () => answerUnknownPages(server)
    },
    transformIndexHtml: (html, { path, originalUrl = '' }) =>
      path === '/app.html' ? appPageIn(new URL(originalUrl, api).searchParams.get(LANGUAGE_QUERY) ?? 'en', html) : html,
    // Static pages are rendered from modules and texts that no browser loads, so hot replacement reaches only their style sheets.
    handleHotUpdate({ file, modules, server }) {
      const isLoaded = modules.some(({ type }) => type === 'js')
      if (!isLoaded && /\.[jt]sx?$/.test(file)) server.ws.send({ type: 'full-reload' })
    },
  }
}

const HTML = { 'content-type': 'text/html; charset=utf-8' }

/** Vite reads `originalUrl` before `url`. */
type Request = Connect.IncomingMessage

/** The HTML of a static page, null for everything else. The page of the app is a file that Vite has: its language is in the URL then. */
async function answer(server: ViteDevServer, request: Request): Promise<string | null> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
  if (APP_PAGES.includes(pathname)) {
    searchParams.set(LANGUAGE_QUERY, await languageOf(request, searchParams))
    request.originalUrl = request.url = `/app.html?${searchParams}`
    return null
  }
  const page = STATIC_PAGES.get(pathname)
  if (!page) return null
  const purpose = page.filled === SITE_PATHS.comingSoon ? purposeIn(Object.fromEntries(searchParams)) : undefined
  const language = await languageOf(request, searchParams)
  // The server redirects.
  if (legalPathOf(language, purpose)) return null
  const { fillPage, content } = await readContent()
  const html = await renderPage(page.name, language)
  const [origin = ''] = server.resolvedUrls?.local ?? []
  const filled = page.filled
    ? fillPage(html, {
        language,
        path: page.filled,
        purpose,
        content: { ...content, publicUrl: origin.replace(/\/$/, '') },
      })
    : html
  return server.transformIndexHtml(pathname, filled)
}

/** The language of a page: that of its path, else as the server chooses it. */
async function languageOf({ url = '', headers }: Request, query: URLSearchParams): Promise<Language> {
  const { languageOfPage } = await importModule<typeof import('../server/src/lib/language.ts')>(
    '../server/src/lib/language.ts',
  )
  return languageOfPage({ url, headers, query: Object.fromEntries(query) })
}

/** Reads what the settings put into pages, by the server's own modules. Called for each page, so that an edit is shown after a reload. */
async function readContent() {
  const { readConfig } = await importModule<typeof import('../server/src/config/config.ts')>(
    '../server/src/config/config.ts',
  )
  const { fillPage, readSiteContent } = await importModule<typeof import('../server/src/http/site-content.ts')>(
    '../server/src/http/site-content.ts',
  )
  return { fillPage, content: readSiteContent(readConfig(process.env)) }
}

/** Answers a page that does not exist with the not-found page and a 404. */
function answerUnknownPages(server: ViteDevServer): void {
  server.middlewares.use((request: Request, response, next) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    if (!request.headers.accept?.includes('text/html') || pathname === '/app.html') return next()
    languageOf(request, searchParams)
      .then((language) => renderPage('not-found', language))
      .then((html) => server.transformIndexHtml('/not-found.html', html))
      .then((html) => response.writeHead(404, HTML).end(html), next)
  })
}
