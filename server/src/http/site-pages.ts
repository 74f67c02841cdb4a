import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { LANGUAGES, type Language } from '@deeb/core/languages'
import { APP_PATHS, type LegalPath, SITE_PATHS, type SitePath, sitePathIn } from '@deeb/core/paths'
import { SETTINGS_PARTS, settingsPath } from '@deeb/core/settings-parts'
import { SIGN_PATH } from '@deeb/core/signs/display'
import type { LeadPurpose } from '@deeb/core/visitors/api'
import { comingSoonFor, purposeIn } from '@deeb/core/visitors/coming-soon'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { etagOf, hasEtag } from '../etag.ts'
import { languageOf, VARY_BY_LANGUAGE } from '../language.ts'
import { builtPage } from './built-page.ts'
import { contentSecurityPolicy } from './security-headers.ts'
import { fillPage, LEGAL_PAGES, readSiteContent } from './site-content.ts'

/** In order of preference. */
const ENCODINGS = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
}
type Encoding = keyof typeof ENCODINGS | 'identity'

interface Page {
  type: string
  body: Buffer
  /** The request headers that choose the variant. */
  vary?: string
  /** Its own Content-Security-Policy, if it has an inline script. */
  policy?: string
}

interface EncodedPage extends Page {
  etag: string
}

/**
 * The pages from `webRoot`, filled with the settings (site-content.ts): the public pages in each language, one of /coming-soon for each
 * purpose, and the legal pages of SITE_DIR; the app's page in the language of the request; `/sitemap.xml`, `/robots.txt` and `/favicon.ico`. A page is filled and compressed at the first
 * request, then cached.
 *
 * Not sent by @fastify/static, which needs files on a disk: decision 25.
 */
export function sitePages(app: FastifyInstance, config: Config, webRoot: string): void {
  const content = readSiteContent(config)
  const { publicUrl, legalTexts } = content
  for (const language of LANGUAGES) {
    const filled = (path: SitePath | LegalPath) => async (purpose?: LeadPurpose) => {
      const built = await readFile(builtPage(webRoot, language, nameOf(path)), 'utf8')
      return html(Buffer.from(fillPage(built, { language, path, purpose, content })))
    }
    for (const path of Object.values(SITE_PATHS)) {
      const purposeOf = path === SITE_PATHS.comingSoon ? ({ query }: FastifyRequest) => purposeIn(query) : undefined
      serve(app, [sitePathIn(language, path)], filled(path), purposeOf)
    }
    for (const [name, path] of LEGAL_PAGES) {
      const localized = sitePathIn(language, path)
      if (legalTexts.has(localized)) serve(app, [localized], filled(path))
      else app.get(localized, (_request, reply) => reply.redirect(sitePathIn(language, comingSoonFor(name))))
    }
  }
  serve(
    app,
    [...Object.values(APP_PATHS), ...SETTINGS_PARTS.map(settingsPath)],
    async (language = 'en') => {
      const body = await readFile(builtPage(webRoot, language, 'app'))
      const policy = contentSecurityPolicy(inlineScriptHashes(body))
      return { ...html(body), policy, vary: VARY_BY_LANGUAGE }
    },
    languageOf,
  )
  serve(
    app,
    [SIGN_PATH],
    async (language = 'en') => ({
      ...html(await readFile(builtPage(webRoot, language, nameOf(SIGN_PATH)))),
      vary: VARY_BY_LANGUAGE,
    }),
    languageOf,
  )
  serve(app, ['/sitemap.xml'], async () => ({
    type: 'application/xml; charset=utf-8',
    body: siteMap(publicUrl, legalTexts),
  }))
  serve(app, ['/robots.txt'], async () => ({ type: 'text/plain; charset=utf-8', body: robots(publicUrl) }))
  // Pages name their icon, but some browsers ask for this one too. They get neither an icon nor a page.
  app.get('/favicon.ico', (_request, reply) => reply.status(204).header('cache-control', 'no-cache').send())
}

const html = (body: Buffer) => ({ type: 'text/html; charset=utf-8', body })

function nameOf(path: string): string {
  return path === '/' ? 'index' : path.slice(1)
}

/** The hashes of a page's inline scripts, for its Content-Security-Policy. */
function inlineScriptHashes(html: Buffer): string[] {
  return [...html.toString().matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `sha256-${createHash('sha256').update(script).digest('base64')}`,
  )
}

/** Each page in each language, with links to the same page in the others. */
function siteMap(publicUrl: string, legalTexts: ReadonlyMap<string, string>): Buffer {
  const paths = [
    ...Object.values(SITE_PATHS),
    ...LEGAL_PAGES.map(([, path]) => path).filter((path) => legalTexts.has(path)),
  ]
  const urlOf = (language: Language, path: string) => publicUrl + sitePathIn(language, path)
  const urls = paths.flatMap((path) => {
    const links = [...LANGUAGES.map((language) => [language, language] as const), ['x-default', 'en'] as const].map(
      ([hreflang, language]) =>
        `    <xhtml:link rel="alternate" hreflang="${hreflang}" href="${urlOf(language, path)}"/>\n`,
    )
    return LANGUAGES.map((language) => `  <url>\n    <loc>${urlOf(language, path)}</loc>\n${links.join('')}  </url>\n`)
  })
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${urls.join('')}</urlset>\n`,
  )
}

/** Does not exclude the app: its pages carry `noindex`, which a crawler has to read. */
function robots(publicUrl: string): Buffer {
  return Buffer.from(`User-agent: *\nDisallow: /api/\n\nSitemap: ${publicUrl}/sitemap.xml\n`)
}

/** Serves a page that has variants, such as one in each language. */
function serve<Variant extends string>(
  app: FastifyInstance,
  paths: readonly string[],
  make: (variant?: Variant) => Promise<Page>,
  variantOf: (request: FastifyRequest) => Variant | undefined = () => undefined,
): void {
  const cache = new Map<string, Promise<EncodedPage>>()

  async function encoded(encoding: Encoding, variant?: Variant): Promise<EncodedPage> {
    const { body, ...page } = await make(variant)
    const bytes = encoding === 'identity' ? body : await ENCODINGS[encoding](body)
    // Made from the encoded bytes: each encoding needs its own ETag.
    return { ...page, body: bytes, etag: etagOf(bytes) }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const encoding = chosenEncoding(request)
    const variant = variantOf(request)
    const key = `${encoding} ${variant}`
    const page = cache.get(key) ?? encoded(encoding, variant)
    cache.set(key, page)
    page.catch(() => cache.delete(key))
    return send(request, reply, encoding, await page)
  }
  for (const path of paths) app.get(path, answer)
}

function send(request: FastifyRequest, reply: FastifyReply, encoding: Encoding, page: EncodedPage) {
  const { type, body, policy, etag, vary } = page
  reply.headers({ 'cache-control': 'no-cache', vary: ['Accept-Encoding', vary].filter(Boolean).join(', '), etag })
  if (policy) reply.header('content-security-policy', policy)
  if (hasEtag(request.headers['if-none-match'], etag)) return reply.status(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(type).send(body)
}

function chosenEncoding({ headers }: FastifyRequest): Encoding {
  const accepted = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim())
  return accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : 'identity'
}
