import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startTestApp } from '../testing/test-app.ts'

const QUOTE = { text: 'Quiet.', name: 'Ada Novak', role: 'team lead', company: 'Fjordlab' }

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deeb-site-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** The page for companies with that quotes.json, and what the server reported at its start. */
async function companiesPage(quotes: string) {
  await writeFile(join(folder, 'quotes.json'), quotes)
  const report = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const testApp = await startTestApp({ SITE_DIR: folder })
  const reports = report.mock.calls.map(([line]) => String(line))
  report.mockRestore()
  const { body } = await testApp.app.inject('/companiesLP4358')
  await testApp.close()
  return { body, reports }
}

test('two quotes replace the examples, with every character escaped', async () => {
  const hostile = {
    text: ' </blockquote><script>$& “x” ',
    name: "O'Hara & <b>",
    role: 'a "role"',
    company: '</figcaption>',
  }
  const { body, reports } = await companiesPage(JSON.stringify([QUOTE, hostile]))
  expect(reports).toEqual([])
  expect(body).toContain('data-quote="text">“Quiet.”</blockquote>')
  expect(body).toContain('data-quote="author">Ada Novak, team lead, Fjordlab</figcaption>')
  expect(body).toContain('data-quote="text">“&lt;/blockquote&gt;&lt;script&gt;$&amp; “x””</blockquote>')
  expect(body).toContain(
    'data-quote="author">O&#39;Hara &amp; &lt;b&gt;, a &quot;role&quot;, &lt;/figcaption&gt;</figcaption>',
  )
  expect(body).not.toMatch(/example|one|two/)
})

test.each([
  ['not JSON', ''],
  ['{}', ''],
  ['[]', ''],
  [JSON.stringify([QUOTE]), ''],
  [JSON.stringify([QUOTE, QUOTE, QUOTE]), ''],
  [JSON.stringify([QUOTE, { ...QUOTE, company: ' ' }]), ' See company of quote 2.'],
  [JSON.stringify([{ ...QUOTE, text: 'x'.repeat(281) }, QUOTE]), ' See text of quote 1.'],
  [JSON.stringify([QUOTE, { ...QUOTE, photo: 'ada.png' }]), ' See quote 2.'],
])('wrong quotes are reported at the start, and the examples stay: %s', async (quotes, place) => {
  const { body, reports } = await companiesPage(quotes)
  expect(body.match(/example/g)).toHaveLength(2)
  expect(reports).toHaveLength(1)
  expect(reports[0]).toMatch(/^SITE_DIR: .*quotes\.json must be a JSON list of two quotes, /)
  expect(reports[0]).toMatch(new RegExp(`${place} The page for companies shows its examples until then\\.$`))
})
