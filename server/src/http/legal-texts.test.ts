import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LANGUAGES } from '@deeb/core/languages'
import { sitePathIn } from '@deeb/core/paths'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { RETENTION } from '../retention/retention.ts'
import { startTestApp } from '../testing/test-app.ts'
import { plainTextAsHtml } from './plain-text-as-html.ts'
import { readSiteContent } from './site-content.ts'

describe('plain text as HTML', () => {
  test.each([
    ['one\ntwo\n\n\nthree', '<p>one<br>two</p>\n<p>three</p>'],
    ['# Who we are\nFjordlab\r\nOslo', '<h2>Who we are</h2>\n<p>Fjordlab<br>Oslo</p>'],
    ['## a\n### b', '<h2>a</h2>\n<h3>b</h3>'],
    ['We keep:\n- names\n- hours\n  of focus', '<p>We keep:</p>\n<ul><li>names</li><li>hours of focus</li></ul>'],
    [
      'See https://a.example/x?y=1&z=2. Write to me@a.example!',
      '<p>See <a href="https://a.example/x?y=1&amp;z=2">https://a.example/x?y=1&amp;z=2</a>. Write to <a href="mailto:me@a.example">me@a.example</a>!</p>',
    ],
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['javascript:alert(1) #1 -5', '<p>javascript:alert(1) #1 -5</p>'],
    ['https://[', '<p>https://[</p>'],
    [' \n\t\n', ''],
  ])('%j', (text, html) => expect(plainTextAsHtml(text)).toBe(html))

  test('contains only the known elements, whatever the text', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '# ',
      '- ',
      '\n',
      'http://a.b/',
      'x@y.z',
      '$&',
      'on=',
      ' ',
      'a',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 30 }), (parts) => {
        const html = plainTextAsHtml(parts.join(''))
        const rest = html.replace(/<a href="(https?:\/\/|mailto:)[^"<>]*">|<\/a>|<br>|<\/?(p|ul|li|h2|h3)>/g, '')
        expect(rest).not.toMatch(/[<>"']/)
      }),
    )
  })
})

describe('the texts that come with deeb', () => {
  const textsOf = (env: NodeJS.ProcessEnv = {}) => readSiteContent(readConfig(env)).legalTexts
  const all = LANGUAGES.map((language) => [language, textsOf().get(sitePathIn(language, '/privacy')) ?? ''] as const)

  test.each([
    ['auth.known_addresses', /\b90\b/],
    ['auth.audit_log', /\b180\b/],
    ['auth.outbox', /\b30\b/],
    ['auth.personal_tokens', /\b30\b/],
    ['webhook_deliveries', /\b7\b/],
    ['click_analytics', /\b400\b/],
  ])('say how long %s is kept', (table, days) => {
    const rule = RETENTION[table]
    expect(typeof rule === 'object' && rule.until).toMatch(days)
    for (const [language, html] of all) expect(html, language).toMatch(days)
  })

  test('follow the settings', () => {
    const PUBLIC_URL = 'https://deeb.fjordlab.example'
    const set = textsOf({ PUBLIC_URL, SESSIONS_KEPT_MONTHS: '24', COMPANY_REPORT: 'off' })
    expect(textsOf().get('/privacy')).toContain('one report about all of you')
    expect(textsOf().get('/privacy')).not.toContain('months')
    expect(set.get('/privacy')).toContain('for 24 months')
    expect(set.get('/privacy')).toContain('no report')
    expect(set.get('/de/privacy')).toContain(`<a href="${PUBLIC_URL}/de/imprint">`)
    expect(set.get('/terms')).toContain(`<a href="${PUBLIC_URL}/companiesLP4358#price">`)
    expect(set.get('/fr/imprint')).toContain('deeb.fjordlab.example')
    expect(set.get('/fr/imprint')).toContain(`<a href="${PUBLIC_URL}/fr/coming-soon?for=contact">`)
  })
})

describe('the texts of the administrator', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deeb-site-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  test('replace those of deeb on their pages, each in its language', async () => {
    await writeFile(join(folder, 'privacy.txt'), '# Who\nFjordlab $& <b>')
    await writeFile(join(folder, 'price.txt'), 'From 10 people, $& without VAT.')
    await writeFile(join(folder, 'price.de.txt'), 'Ab 10 Personen.')
    const testApp = await startTestApp({ SITE_DIR: folder })
    const get = async (url: string) => testApp.app.inject(url)
    const page = await get('/privacy')
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.body).toContain('<h2>Who</h2>\n<p>Fjordlab $&amp; &lt;b&gt;</p>')
    expect(page.body).not.toMatch(/placeholder|\.invalid/i)
    expect((await get('/de/privacy')).body).toContain('<h2>Who</h2>')
    const conditions = async (path: string) => /<dd data-price="">(.*?)<\/dd>/s.exec((await get(path)).body)?.[1]
    expect(await conditions('/companiesLP4358')).toBe('<p>From 10 people, $&amp; without VAT.</p>')
    expect(await conditions('/de/companiesLP4358')).toBe('<p>Ab 10 Personen.</p>')
    expect((await get('/terms')).body).toContain('<h2>Your account</h2>')
    expect((await get('/privacy/')).headers.location).toBe('/privacy')
    const missing = ['/privacy.html', '/privacy.txt', '/price.txt', '/imprint.html']
    for (const path of missing) expect([path, (await get(path)).statusCode]).toEqual([path, 404])
    await testApp.close()
  })

  test('that are missing, too long or not text stop the start with a sentence', async () => {
    const read = (SITE_DIR: string) => () => readSiteContent(readConfig({ SITE_DIR }))
    expect(read(folder)).toThrow(/^SITE_DIR must be a folder with at least one of privacy\.txt, .*quotes\.json/)
    expect(read(join(folder, 'nowhere'))).toThrow(/^SITE_DIR must be a folder/)
    await writeFile(join(folder, 'terms.txt'), 'x'.repeat(256 * 1024 + 1))
    expect(read(folder)).toThrow(/^SITE_DIR: .*terms\.txt must be a file of at most 256 KiB\.$/)
    await writeFile(join(folder, 'terms.txt'), Buffer.from([0xff, 0xfe, 0x41]))
    expect(read(folder)).toThrow(/^SITE_DIR: .*terms\.txt must be readable text in UTF-8\.$/)
  })
})
