import { createHash } from 'node:crypto'
import { TAP_PATH } from '@deeb/core/cases/case'
import { LANGUAGES, type Language } from '@deeb/core/languages'
import {
  APP_PATHS,
  type AppPath,
  LEGAL_PATHS,
  type LegalPath,
  SITE_PATHS,
  type SitePath,
  sitePathIn,
} from '@deeb/core/paths'
import { SETTINGS_PARTS, settingsPath } from '@deeb/core/settings-parts'
import { SIGN_PATH } from '@deeb/core/signs/display'
import { YEAR_PATH } from '@deeb/core/stats/year'
import type { LeadPurpose } from '@deeb/core/visitors/api'
import { legalPathOf, purposeIn } from '@deeb/core/visitors/coming-soon'
import * as texts from '@deeb/texts/page'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { languageOf, VARY_BY_LANGUAGE } from '../lib/language.ts'
import { readBuiltPage } from './built-page.ts'
import { escapeHtml } from './plain-text-as-html.ts'
import { contentSecurityPolicy } from './security-headers.ts'
import { type Content, compress, type SendCached } from './send-cached.ts'
import { fillPage, readSiteContent } from './site-content.ts'

interface SitePagesDeps {
  config: Config
  webRoot: string
  sendCached: SendCached
}

/**
 * The pages from `webRoot`, filled with the settings (site-content.ts): the public pages in each language, one of /coming-soon for each
 * purpose but the legal ones, which redirect to the legal pages; the app's page in the language of the request, also that of a tap; `/sitemap.xml`, `/robots.txt`, `/favicon.ico` and `/.well-known/change-password`. A page is filled and compressed at the first
 * request, then cached.
 */
export function sitePages(app: FastifyInstance, { config, webRoot, sendCached }: SitePagesDeps): void {
  const serve = servePagesOn(app, sendCached)
  const content = readSiteContent(config)
  const { publicUrl } = content
  for (const language of LANGUAGES) {
    const filled = (path: SitePath | LegalPath) => (purpose?: LeadPurpose) => {
      const built = readBuiltPage(webRoot, language, nameOf(path))
      return html(fillPage(built, { language, path, purpose, content }))
    }
    for (const path of [...Object.values(SITE_PATHS), ...Object.values(LEGAL_PATHS)]) {
      const isComingSoon = path === SITE_PATHS.comingSoon
      serve(
        [sitePathIn(language, path)],
        filled(path),
        isComingSoon ? ({ query }) => purposeIn(query) : undefined,
        isComingSoon ? (purpose) => legalPathOf(language, purpose) : undefined,
      )
    }
  }
  const appPage =
    (titleIn: (language: Language) => string) =>
    (language: Language = 'en') => {
      const built = readBuiltPage(webRoot, language, 'app')
      const preview = sharing(language, titleIn(language), publicUrl)
      const policy = contentSecurityPolicy(inlineScriptHashes(built))
      return { ...html(built.replace('</title>', () => `</title>${preview}`)), policy, vary: VARY_BY_LANGUAGE }
    }
  const invited: AppPath[] = [APP_PATHS.invite, APP_PATHS.circle]
  serve(
    invited,
    appPage((locale) => texts.invitedTitle({}, { locale })),
    languageOf,
  )
  const others = Object.values(APP_PATHS).filter((path) => !invited.includes(path))
  serve(
    [...others, ...SETTINGS_PARTS.map(settingsPath), YEAR_PATH],
    appPage(() => 'deeb'),
    languageOf,
  )
  serve(
    [TAP_PATH],
    (opening: Opening = 'en') => {
      const [language, mark] = opening.split(' ') as [Language, typeof BY_SYSTEM | undefined]
      const page = appPage(() => 'deeb')(language)
      const body = mark ? page.body.replace('<html', () => `<html data-opened="${BY_SYSTEM}"`) : page.body
      return { ...page, body, cacheControl: 'no-store' }
    },
    openingOf,
  )
  serve(
    [SIGN_PATH],
    (language = 'en') => ({ ...html(readBuiltPage(webRoot, language, nameOf(SIGN_PATH))), vary: VARY_BY_LANGUAGE }),
    languageOf,
  )
  serve(['/sitemap.xml'], () => ({
    type: 'application/xml; charset=utf-8',
    body: siteMap(publicUrl),
  }))
  serve(['/robots.txt'], () => ({ type: 'text/plain; charset=utf-8', body: robots(publicUrl) }))
  // Pages name their icon, but some browsers ask for this one too. They get neither an icon nor a page.
  app.get('/favicon.ico', (_request, reply) => reply.status(204).header('cache-control', 'no-cache').send())
  // Password managers lead here (https://w3c.github.io/webappsec-change-password-url).
  app.get('/.well-known/change-password', (_request, reply) => reply.redirect(APP_PATHS.signInSettings))
}

/** In the page of a tap, if the system has opened it: only then the tap switches without a press. */
const BY_SYSTEM = 'by-system'
type Opening = Language | `${Language} ${typeof BY_SYSTEM}`

/**
 * The language of a page, and whether a person has opened it outside of any page: by a tag, a scanned code or the address bar. A link, a
 * redirect from a page, a frame and a prefetch have other headers. Browsers set them, and no page can (https://w3c.github.io/webappsec-fetch-metadata).
 */
function openingOf(request: FastifyRequest): Opening {
  const { headers } = request
  const isBySystem =
    headers['sec-fetch-site'] === 'none' &&
    headers['sec-fetch-dest'] === 'document' &&
    headers['sec-purpose'] === undefined
  return isBySystem ? `${languageOf(request)} ${BY_SYSTEM}` : languageOf(request)
}

const html = (body: string) => ({ type: 'text/html; charset=utf-8', body })

function nameOf(path: string): string {
  return path === '/' ? 'index' : path.slice(1)
}

/** Open Graph tags of the app: the same for all links, which have their secrets in the fragment. */
function sharing(language: Language, title: string, publicUrl: string): string {
  const picture = `${publicUrl}/share${sitePathIn(language, '/home')}.png`
  const tags = [
    ['og:title', title],
    ['og:description', texts.description({}, { locale: language })],
    ['og:image', picture],
  ] as const
  const metas = tags.map(([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}">`)
  return `${metas.join('')}<meta name="twitter:card" content="summary_large_image">`
}

/** The hashes of a page's inline scripts, for its Content-Security-Policy. */
function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `sha256-${createHash('sha256').update(script).digest('base64')}`,
  )
}

/** Each page in each language, with links to the same page in the others. */
function siteMap(publicUrl: string): string {
  const paths = [...Object.values(SITE_PATHS), ...Object.values(LEGAL_PATHS)]
  const urlOf = (language: Language, path: string) => publicUrl + sitePathIn(language, path)
  const urls = paths.flatMap((path) => {
    const links = [...LANGUAGES.map((language) => [language, language] as const), ['x-default', 'en'] as const].map(
      ([hreflang, language]) =>
        `    <xhtml:link rel="alternate" hreflang="${hreflang}" href="${urlOf(language, path)}"/>\n`,
    )
    return LANGUAGES.map((language) => `  <url>\n    <loc>${urlOf(language, path)}</loc>\n${links.join('')}  </url>\n`)
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${urls.join('')}</urlset>\n`
}

/** Does not exclude the app: its pages carry `noindex`, which a crawler has to read. */
function robots(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${publicUrl}/sitemap.xml\n`
}

/** Serves a page that has variants, such as one in each language. `redirectOf` returns the URL that has a variant instead. */
function servePagesOn(app: FastifyInstance, sendCached: SendCached) {
  return <Variant extends string>(
    paths: readonly string[],
    make: (variant?: Variant) => Content,
    variantOf: (request: FastifyRequest) => Variant | undefined = () => undefined,
    redirectOf: (variant?: Variant) => string | undefined = () => undefined,
  ): void => {
    for (const path of paths) {
      app.get(path, (request, reply) => {
        const variant = variantOf(request)
        const redirect = redirectOf(variant)
        if (redirect) return reply.redirect(redirect)
        return sendCached(request, reply, `${paths[0]} ${variant}`, (encoding) => compress(make(variant), encoding))
      })
    }
  }
}
