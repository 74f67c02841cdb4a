import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LANGUAGES } from '@deeb/core/languages'
import { SITE_PATHS, siteLanguageOf, sitePathIn } from '@deeb/core/paths'
import { type Browser, type BrowserContext, chromium, expect, test } from '@playwright/test'
import { freePort } from '../../server/src/testing/free-port.ts'
import { browserLaunch } from '../browser.ts'
import { median, pressSwitch, probedPage, type StorageState, signedInStorage, slowDown } from '../paint.ts'
import { TestServer } from '../server.ts'

/** Installed on demand: it is larger than all of deeb. */
const LIGHTHOUSE = 'lighthouse@12.8.2'
const PUBLIC_PAGES = LANGUAGES.flatMap((language) =>
  Object.values(SITE_PATHS).map((path) => sitePathIn(language, path)),
)
/** As a signed-in user on the first visit, but Sign In. */
const APP_PAGES = ['/app', '/app/home', '/app/team']
const PRESSES = 8
const SCORES = { performance: 'performance', accessibility: 'accessibility', practices: 'best-practices', seo: 'seo' }
const PAINTS = ['first-contentful-paint', 'largest-contentful-paint']
const TIMES = [...PAINTS, 'total-blocking-time', 'cumulative-layout-shift']

interface Report {
  userAgent: string
  categories: Record<string, { score: number | null }>
  audits: Record<string, { displayValue?: string; score: number | null }>
}

test('all pages score 100, those of the app in accessibility and practices', async () => {
  const server = await TestServer.fresh()
  const browser = await chromium.launch(await browserLaunch())
  const storage = await signedInStorage(browser, server)
  const reports = new Map<string, Report>()
  const paints = new Map<string, Report>()
  for (const path of [...PUBLIC_PAGES, ...APP_PAGES]) {
    const ofUser = path.startsWith('/app/') ? storage : undefined
    reports.set(path, await measure(server.url + path, [], ofUser))
    // The pages of other languages differ in their texts alone.
    if (siteLanguageOf(path) !== 'en') continue
    paints.set(
      path,
      await measure(server.url + path, ['--throttling-method=devtools', `--only-audits=${PAINTS}`], ofUser),
    )
  }
  const press = await measurePress(browser, server, storage)
  await browser.close()
  await server.dispose()

  await mkdir(new URL('../test-results', import.meta.url), { recursive: true })
  await writeFile(new URL('../test-results/lighthouse.md', import.meta.url), page(reports, paints, press))
  for (const [path, report] of reports) {
    const scores = scoresOf(report)
    const isPublic = PUBLIC_PAGES.includes(path)
    expect(isPublic ? scores : scores.slice(1, 3), `${path}: ${shortcomings(report)}`).toEqual(
      isPublic ? [100, 100, 100, 100] : [100, 100],
    )
  }
})

/**
 * Runs Lighthouse with its phone settings, in a browser of its own. It simulates the slow network, unless `options` throttle the browser.
 * With a `storage`, as its user.
 */
async function measure(url: string, options: string[], storage?: StorageState): Promise<Report> {
  const { executablePath, args = [], env } = await browserLaunch()
  const folder = await mkdtemp(join(tmpdir(), 'deeb-lighthouse-'))
  const port = await freePort()
  const browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
    ...(executablePath && { executablePath }),
    ...(env && { env }),
    args: [...args, `--remote-debugging-port=${port}`],
  })
  if (storage) await signIn(browser, storage)
  const file = join(folder, 'report.json')
  await promisify(execFile)(
    'npx',
    ['-y', LIGHTHOUSE, url, `--port=${port}`, '--disable-storage-reset', '--output=json', `--output-path=${file}`]
      .concat('--quiet')
      .concat(options),
    { shell: process.platform === 'win32' },
  )
  const report = JSON.parse(await readFile(file, 'utf8'))
  await browser.close()
  await rm(folder, { recursive: true })
  return report
}

async function signIn(browser: BrowserContext, { cookies, origins }: StorageState): Promise<void> {
  await browser.addCookies(cookies)
  const page = await browser.newPage()
  for (const { origin, localStorage } of origins) {
    await page.goto(`${origin}/robots.txt`)
    await page.evaluate((items) => {
      for (const { name, value } of items) window.localStorage.setItem(name, value)
    }, localStorage)
  }
  await page.close()
}

/** How long the page of a phone takes to paint the answer to a press of the switch, in ms: the median. */
async function measurePress(browser: Browser, server: TestServer, storage: StorageState): Promise<number> {
  const page = await probedPage(await browser.newContext({ storageState: storage }))
  await slowDown(page)
  const follows = page.waitForResponse('**/api/live')
  await page.goto(`${server.url}/app/home`)
  await follows
  const presses: number[] = []
  for (let press = 0; press < PRESSES; press++) presses.push((await pressSwitch(page)).toPaint)
  return Math.round(median(presses))
}

function scoresOf({ categories }: Report): number[] {
  return Object.values(SCORES).map((name) => Math.round(100 * (categories[name]?.score ?? 0)))
}

function shortcomings({ audits }: Report): string {
  const short = Object.entries(audits).filter(([, { score }]) => score !== null && score < 0.9)
  return short.map(([name, { displayValue = '' }]) => `${name} ${displayValue}`).join(', ')
}

function valuesOf(report: Report | undefined, audits: string[]): string[] {
  return audits.map((name) => report?.audits[name]?.displayValue ?? '')
}

function page(reports: ReadonlyMap<string, Report>, paints: ReadonlyMap<string, Report>, press: number): string {
  const rows = [...reports].map(([path, report]) => {
    const figures = [...scoresOf(report), ...valuesOf(report, TIMES), ...valuesOf(paints.get(path), PAINTS)]
    return `| \`${path}\` | ${figures.join(' | ')} |`
  })
  const [first] = reports.values()
  const browser = /Chrome\/[\d.]+/.exec(first?.userAgent ?? '')?.[0]
  return `# Lighthouse

\`npm run build && npm run lighthouse -w e2e\` generated this page: ${LIGHTHOUSE}, its phone with its slow network, ${browser},
Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, the server with its embedded database on the same machine.

| page | ${Object.keys(SCORES).join(' | ')} | first paint | largest paint | blocked | shift | first, measured | largest, measured |
|---|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}

The times are simulated from an unthrottled visit. The simulation counts all files loaded until then, the typeface too, for the
largest paint. The last two columns are measured in a browser with that network and processor.

\`/app/home\` and \`/app/team\` are measured as a signed-in user on the first visit. The pages of the app ask search engines not to
list them, which costs points in seo. On Home with that network and processor, a press of the switch is painted after ${press} ms
(median of ${PRESSES}).
`
}
