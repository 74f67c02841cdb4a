import { createHash } from 'node:crypto'
import { stat, utimes } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { LANGUAGES } from '@deeb/core/languages'
import { LEGAL_PATHS, SITE_PATHS, sitePathIn } from '@deeb/core/paths'
import { SETTINGS_PARTS, settingsPath } from '@deeb/core/settings-parts'
import { describe, expect } from 'vitest'
import { test as base } from '../testing/test.ts'
import { startTestApp } from '../testing/test-app.ts'
import { WEB_ROOT } from '../testing/web-root.ts'

const PUBLIC_URL = 'https://deeb.fjordlab.example'

const test = base.extend('settings', { scope: 'file' }, { PUBLIC_URL }).extend(
  'ask',
  ({ app }) =>
    (url: string, headers: Record<string, string> = {}) =>
      app.inject({ url, headers }),
)

const UNPACKED = { br: brotliDecompressSync, gzip: gunzipSync }
const ENCODINGS = ['br', 'gzip'] as const

const PAGES = [...Object.values(SITE_PATHS), ...Object.values(LEGAL_PATHS)]

describe.each(PAGES)('the page %s', (path) => {
  test('has a canonical link with PUBLIC_URL', async ({ ask }) => {
    const { statusCode, headers, body } = await ask(path)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body).toContain(`<link rel="canonical" href="${PUBLIC_URL}${path}">`)
    expect(body).not.toContain('.invalid')
  })

  test('has an ETag per encoding, and answers 304 to it', async ({ ask }) => {
    const plain = await ask(path)
    const tags = new Set([plain.headers.etag])
    for (const encoding of ENCODINGS) {
      const packed = await ask(path, { 'accept-encoding': encoding })
      expect(packed.headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' })
      expect(UNPACKED[encoding](packed.rawPayload).toString()).toBe(plain.body)
      tags.add(packed.headers.etag)

      const etag = String(packed.headers.etag)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
        const again = await ask(path, { 'accept-encoding': encoding, 'if-none-match': known })
        expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
      }
      const asOther = await ask(path, { 'if-none-match': etag })
      expect([asOther.statusCode, asOther.body]).toEqual([200, plain.body])
    }
    expect(tags.size).toBe(3)
  })
})

test("the app's page allows only its own inline script, also in a 304", async ({ ask }) => {
  const page = await ask('/app/home')
  const [, script = ''] = /<script>(.+?)<\/script>/s.exec(page.body) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  const policy = page.headers['content-security-policy']
  expect(policy).toContain(`; script-src 'self' 'sha256-${hash}'; `)
  const again = await ask('/app/home', { 'if-none-match': String(page.headers.etag) })
  expect([again.statusCode, again.headers['content-security-policy']]).toEqual([304, policy])
  expect((await ask('/')).headers['content-security-policy']).toContain("; script-src 'self'; ")
})

test('the app has a page for every part of Settings, and for no other path below it', async ({ ask }) => {
  for (const part of SETTINGS_PARTS) expect((await ask(settingsPath(part))).statusCode).toBe(200)
  expect((await ask('/app/settings/nothing')).statusCode).toBe(404)
})

test('the coming-soon page shows the purpose in its query and keeps one page for each purpose', async ({ ask }) => {
  const plain = await ask('/coming-soon')
  const demo = await ask('/coming-soon?for=demo')
  expect(demo.body).toContain('<b data-purpose="demo">')
  expect(demo.body).toContain('<b hidden="" data-purpose="pilot">')
  expect(demo.body).toContain('action="/coming-soon?for=demo"')
  expect((await ask('/coming-soon?for=pilot')).body).toContain('<b data-purpose="pilot">')
  const infoSheet = (await ask('/coming-soon?for=info_sheet')).body
  expect([infoSheet, demo.body, plain.body].map(readyIn)).toEqual([['info_sheet'], [], []])
  for (const query of ['for=gift', 'for=demo&for=pilot', 'for[]=demo', 'for=%22%3E']) {
    expect((await ask(`/coming-soon?${query}`)).body).toBe(plain.body)
  }
  const titleOf = async (path: string) => /<title>[^<]*/.exec((await ask(path)).body)?.[0]
  expect(await titleOf('/coming-soon?for=contact')).toBe('<title>deeb: contact')
  expect(await titleOf('/de/coming-soon?for=support')).toBe('<title>deeb: Hilfe')
  expect(await titleOf('/coming-soon?for=pilot')).toBe(await titleOf('/coming-soon'))
  expect((await ask('/waitlist?for=demo')).body).toBe((await ask('/waitlist')).body)
  const known = { 'if-none-match': String(demo.headers.etag) }
  expect((await ask('/coming-soon?for=demo', known)).statusCode).toBe(304)
  expect((await ask('/coming-soon', known)).statusCode).toBe(200)
})

/** The purposes that a page answers. */
const readyIn = (html: string) => [...html.matchAll(/<i data-ready="(\w+)">/g)].map(([, purpose]) => purpose)

test('a visitor who looks for a legal page is redirected to it', async ({ ask }) => {
  for (const [name, path] of Object.entries(LEGAL_PATHS)) {
    for (const language of LANGUAGES) {
      const { statusCode, headers } = await ask(sitePathIn(language, `/coming-soon?for=${name}`))
      expect([statusCode, headers.location]).toEqual([302, sitePathIn(language, path)])
    }
  }
})

test('with DEMO_URL, the links to the demo lead there, and no other link', async ({ ask }) => {
  const built = 'href="/coming-soon?for=demo" data-page="employers" data-button="see_platform_in_action"'
  const { body } = await ask('/companiesLP4358')
  const other = await startTestApp({ PUBLIC_URL, DEMO_URL: 'https://demo.example.com/?a=1&b=%27' })
  const filled = (await other.app.inject('/companiesLP4358')).body
  const asked = (await other.app.inject('/coming-soon?for=demo')).body
  await other.close()
  expect(readyIn(asked)).toEqual(['demo'])
  expect(asked).toContain('<a href="https://demo.example.com/?a=1&amp;b=%27" data-demo="" class="button">')
  expect(body).toContain(built)
  expect(filled).toBe(
    body.replace(built, built.replace('/coming-soon?for=demo', 'https://demo.example.com/?a=1&amp;b=%27')),
  )
})

test.for([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0.0', undefined],
  ['identity', undefined],
  ['', undefined],
] as const)('accept-encoding: %s is answered in %s', async ([accepted, encoding], { ask }) => {
  const answer = await ask('/', { 'accept-encoding': accepted })
  expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, encoding])
})

describe('precompressed files', () => {
  test.for(['/assets/app-12345678.js', '/app', '/nowhere'])(
    '%s is sent as the build compressed it',
    async (path, { ask }) => {
      const plain = await ask(path)
      for (const encoding of ENCODINGS) {
        const { headers, rawPayload } = await ask(path, { 'accept-encoding': encoding })
        expect(headers).toMatchObject({ 'content-encoding': encoding, vary: expect.stringMatching(/^Accept-Encoding/) })
        expect(headers['content-type']).toBe(plain.headers['content-type'])
        expect(UNPACKED[encoding](rawPayload).toString()).toBe(plain.body)
      }
    },
  )

  test('has a different ETag in each encoding', async ({ ask }) => {
    const tags = ['br', 'gzip', 'identity'].map(async (encoding) => {
      const { headers } = await ask('/assets/app-12345678.js', { 'accept-encoding': encoding })
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
      return headers.etag
    })
    expect(new Set(await Promise.all(tags)).size).toBe(3)
  })

  test.for(['/index.html', '/app.html', '/coming-soon%2ehtml', '/assets/app-12345678.js.br', '/app.html.gz'])(
    '%s is not served',
    async (path, { ask }) => {
      expect((await ask(path)).statusCode).toBe(404)
    },
  )
})

test.for([
  ['/app/invite', 'en', 'You are invited to deeb', '/share/home.png'],
  ['/app/circle', 'de', 'Du bist zu deeb eingeladen', '/share/de/home.png'],
  ['/app/signup', 'fr', 'deeb', '/share/fr/home.png'],
] as const)('a link to %s in %s has a preview', async ([path, language, title, picture], { ask }) => {
  const { body } = await ask(path, { 'accept-language': language })
  const preview = Object.fromEntries(
    [...body.matchAll(/<meta property="og:(\w+)" content="([^"]*)">/g)].map(([, name, content]) => [name, content]),
  )
  expect(preview).toEqual({ title, description: expect.stringMatching(/^\w.+\.$/), image: PUBLIC_URL + picture })
})

test("the app's page has an ETag of its content, the same at every URL", async ({ ask }) => {
  const page = `${WEB_ROOT}app.html`
  const { headers } = await ask('/app')
  const { atime, mtime } = await stat(page)
  await utimes(page, atime, new Date(0))
  const other = await startTestApp({ PUBLIC_URL })
  expect((await other.app.inject('/app/home')).headers.etag).toBe(headers.etag)
  await other.close()
  await utimes(page, atime, mtime)
  const again = await ask('/app/home', { 'if-none-match': String(headers.etag) })
  expect([again.statusCode, again.headers['last-modified']]).toEqual([304, undefined])
})

test('a password manager is led to where the password is changed', async ({ ask }) => {
  const { statusCode, headers } = await ask('/.well-known/change-password')
  expect([statusCode, headers.location]).toEqual([302, '/app/settings/sign-in'])
  expect((await ask('/.well-known/resource-that-should-not-exist')).statusCode).toBe(404)
})

test('/favicon.ico is an empty 204', async ({ ask }) => {
  const { statusCode, body } = await ask('/favicon.ico')
  expect([statusCode, body]).toEqual([204, ''])
})

test('the sitemap lists every page, and robots.txt does not exclude the app (noindex)', async ({ ask }) => {
  const robots = await ask('/robots.txt')
  expect(robots.body).not.toContain('/app')
  expect(robots.body).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.xml\n`)
  const map = await ask('/sitemap.xml')
  expect(map.headers['content-type']).toBe('application/xml; charset=utf-8')
  const listed = [...map.body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)
  const pages = LANGUAGES.flatMap((language) => PAGES.map((path) => sitePathIn(language, path)))
  expect(listed.sort()).toEqual(pages.map((path) => PUBLIC_URL + path).sort())
})

test('a trailing slash redirects to the page', async ({ ask }) => {
  const { statusCode, headers } = await ask('/waitlist/?x=1')
  expect([statusCode, headers.location]).toEqual([308, '/waitlist?x=1'])
})
