import { LANGUAGES } from '@deeb/core/languages'
import { LEGAL_PATHS, SITE_PATHS, sitePathIn } from '@deeb/core/paths'
import { describe, expect } from 'vitest'
import { test as base } from '../testing/test.ts'

const PUBLIC_URL = 'https://deeb.fjordlab.example'

const test = base.extend('settings', { scope: 'file' }, { PUBLIC_URL }).extend(
  'ask',
  ({ app }) =>
    (url: string, headers: Record<string, string> = {}) =>
      app.inject({ url, headers }),
)

const isGerman = (body: string) => body.includes('<title>de ')

describe("the app's page", () => {
  test.for([
    ['de', true],
    ['de-AT, en;q=0.9', true],
    ['pt, de;q=0.8, en;q=0.7', true],
    ['en-GB, de;q=0.9', false],
    ['de;q=0, en', false],
    ['pt-BR', false],
    ['*', false],
    ['', false],
    [';;q=x,,-', false],
  ] as const)('for a browser in "%s" is German: %s', async ([accepted, german], { ask }) => {
    const { statusCode, body, headers } = await ask('/app/home', { 'accept-language': accepted })
    expect([statusCode, isGerman(body)]).toEqual([200, german])
    expect(headers.vary).toBe('Accept-Encoding, Accept-Language, Cookie')
  })

  test('has the language that the browser chose, and that of a link before it', async ({ ask }) => {
    const headers = { 'accept-language': 'en', cookie: 'a=b; deeb.language=de; c=d' }
    expect(isGerman((await ask('/app', headers)).body)).toBe(true)
    expect(isGerman((await ask('/app?language=en', headers)).body)).toBe(false)
    expect(isGerman((await ask('/app?language=de', { 'accept-language': 'en' })).body)).toBe(true)
  })

  test.for(['/app?language=xx', '/app?language=../de', '/app?language=de&language=de', '/app?language[]=de'])(
    '%s is no choice',
    async (url, { ask }) => {
      const { statusCode, body } = await ask(url)
      expect([statusCode, isGerman(body)]).toEqual([200, false])
    },
  )

  test.for(['deeb.language=xx', 'deeb.language=../de', 'deeb.language', '=de', 'xdeeb.language=de'])(
    'the cookie "%s" is no choice',
    async (cookie, { ask }) => {
      const { statusCode, body } = await ask('/app', { cookie })
      expect([statusCode, isGerman(body)]).toEqual([200, false])
    },
  )
})

describe('the public pages', () => {
  const PAGES = [...Object.values(SITE_PATHS), ...Object.values(LEGAL_PATHS)]

  test.for(PAGES)('%s is in German at its German path, whatever the browser speaks', async (path, { ask }) => {
    const german = await ask(sitePathIn('de', path), { 'accept-language': 'en' })
    expect([german.statusCode, isGerman(german.body)]).toEqual([200, true])
    expect(german.body).toContain(`<link rel="canonical" href="${PUBLIC_URL}${sitePathIn('de', path)}">`)
    expect(isGerman((await ask(path, { 'accept-language': 'de' })).body)).toBe(false)
  })

  test('the German coming-soon page keeps its purpose', async ({ ask }) => {
    const { body } = await ask('/de/coming-soon?for=demo')
    expect(body).toContain('<b data-purpose="demo">')
    expect(body).toContain('action="/de/coming-soon?for=demo"')
  })

  test('a form without script leads back to its own page', async ({ app }) => {
    const post = (url: string) =>
      app.inject({
        ...{ method: 'POST', url, payload: 'email=nora%40fjordlab.example' },
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: PUBLIC_URL },
      })
    expect((await post('/de/waitlist')).headers.location).toBe('/de/waitlist#saved')
    expect((await post('/de/coming-soon?for=pilot')).headers.location).toBe('/de/coming-soon?for=pilot#saved')
  })

  test('a path with a slash at its end leads to the page', async ({ ask }) => {
    expect((await ask('/de/')).headers.location).toBe('/de')
    expect((await ask('/de/waitlist/?a=b')).headers.location).toBe('/de/waitlist?a=b')
  })

  test('the page that does not exist is in the language of its path, else of the browser', async ({ ask }) => {
    const html = { accept: 'text/html' }
    for (const [url, language, german] of [
      ['/de/nowhere', 'en', true],
      ['/nowhere', 'de', true],
      ['/nowhere', 'en', false],
      ['/xx/nowhere', 'en', false],
      ['/de/%', 'en', true],
    ] as const) {
      const { statusCode, body } = await ask(url, { ...html, 'accept-language': language })
      expect([url, statusCode, isGerman(body)]).toEqual([url, 404, german])
    }
  })

  test('the site map has every page in every language, and names the others', async ({ ask }) => {
    const { body } = await ask('/sitemap.xml')
    const pages = body.split('<url>').slice(1)
    expect(pages).toHaveLength(LANGUAGES.length * PAGES.length)
    expect(pages.filter((page) => page.includes(`<loc>${PUBLIC_URL}/fr/waitlist</loc>`))).toHaveLength(1)
    for (const page of pages) {
      expect(page.match(/hreflang="[^"]+"/g)).toEqual([...LANGUAGES, 'x-default'].map((tag) => `hreflang="${tag}"`))
    }
  })
})
