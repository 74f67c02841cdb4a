import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { APP_PATHS, type LegalPath, SITE_PATHS, type SitePath } from '@deeb/core/paths'
import { SETTINGS_PARTS, settingsPath } from '@deeb/core/settings-parts'
import { SIGN_PATH } from '@deeb/core/signs/display'
import type { LeadPurpose } from '@deeb/core/visitors/api'
import { comingSoonFor, purposeIn } from '@deeb/core/visitors/coming-soon'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { etagOf, hasEtag } from '../etag.ts'
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
  /** Its own Content-Security-Policy, if it has an inline script. */
  policy?: string
}

interface EncodedPage extends Page {
  etag: string
}

/**
 * The pages from `webRoot`, filled with the settings (site-content.ts): the public pages, one of /coming-soon for each purpose, and
 * the legal pages of SITE_DIR; `/sitemap.xml`, `/robots.txt` and `/favicon.ico`. A page is filled and compressed at the first
 * request, then cached.
 *
 * Not sent by @fastify/static, which needs files on a disk: decision 25.
 */
export function sitePages(app: FastifyInstance, config: Config, webRoot: string): void {
  const content = readSiteContent(config)
  const { publicUrl, legalTexts } = content
  const filled = (path: SitePath | LegalPath) => async (purpose?: LeadPurpose) => ({
    type: 'text/html; charset=utf-8',
    body: Buffer.from(fillPage(await readFile(join(webRoot, fileOf(path)), 'utf8'), { path, purpose, content })),
  })
  for (const path of Object.values(SITE_PATHS)) {
    serve(app, [path], filled(path), path === SITE_PATHS.comingSoon ? purposeIn : undefined)
  }
  for (const [name, path] of LEGAL_PAGES) {
    if (legalTexts.has(path)) serve(app, [path], filled(path))
    else app.get(path, (_request, reply) => reply.redirect(comingSoonFor(name)))
  }
  serve(app, [...Object.values(APP_PATHS), ...SETTINGS_PARTS.map(settingsPath)], async () => {
    const body = await readFile(join(webRoot, 'app.html'))
    return { type: 'text/html; charset=utf-8', body, policy: contentSecurityPolicy(inlineScriptHashes(body)) }
  })
  serve(app, [SIGN_PATH], async () => ({
    type: 'text/html; charset=utf-8',
    body: await readFile(join(webRoot, fileOf(SIGN_PATH))),
  }))
  serve(app, ['/sitemap.xml'], async () => ({
    type: 'application/xml; charset=utf-8',
    body: siteMap(publicUrl, [...legalTexts.keys()]),
  }))
  serve(app, ['/robots.txt'], async () => ({ type: 'text/plain; charset=utf-8', body: robots(publicUrl) }))
  // Pages name their icon, but some browsers ask for this one too. They get neither an icon nor a page.
  app.get('/favicon.ico', (_request, reply) => reply.status(204).header('cache-control', 'no-cache').send())
}

function fileOf(path: string): string {
  return path === '/' ? 'index.html' : `${path.slice(1)}.html`
}

/** The hashes of a page's inline scripts, for its Content-Security-Policy. */
function inlineScriptHashes(html: Buffer): string[] {
  return [...html.toString().matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `sha256-${createHash('sha256').update(script).digest('base64')}`,
  )
}

function siteMap(publicUrl: string, legalPaths: LegalPath[]): Buffer {
  const urls = [...Object.values(SITE_PATHS), ...legalPaths].map(
    (path) => `  <url><loc>${publicUrl}${path}</loc></url>`,
  )
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`,
  )
}

/** Does not exclude the app: its pages carry `noindex`, which a crawler has to read. */
function robots(publicUrl: string): Buffer {
  return Buffer.from(`User-agent: *\nDisallow: /api/\n\nSitemap: ${publicUrl}/sitemap.xml\n`)
}

function serve(
  app: FastifyInstance,
  paths: readonly string[],
  make: (purpose?: LeadPurpose) => Promise<Page>,
  purposeOf: (query: unknown) => LeadPurpose | undefined = () => undefined,
): void {
  const cache = new Map<string, Promise<EncodedPage>>()

  async function encoded(encoding: Encoding, purpose?: LeadPurpose): Promise<EncodedPage> {
    const { body, ...page } = await make(purpose)
    const bytes = encoding === 'identity' ? body : await ENCODINGS[encoding](body)
    // Made from the encoded bytes: each encoding needs its own ETag.
    return { ...page, body: bytes, etag: etagOf(bytes) }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const encoding = chosenEncoding(request)
    const purpose = purposeOf(request.query)
    const key = `${encoding} ${purpose}`
    const page = cache.get(key) ?? encoded(encoding, purpose)
    cache.set(key, page)
    page.catch(() => cache.delete(key))
    return send(request, reply, encoding, await page)
  }
  for (const path of paths) app.get(path, answer)
}

function send(request: FastifyRequest, reply: FastifyReply, encoding: Encoding, page: EncodedPage) {
  const { type, body, policy, etag } = page
  reply.headers({ 'cache-control': 'no-cache', vary: 'Accept-Encoding', etag })
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
