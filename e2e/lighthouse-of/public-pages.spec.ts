import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { browserLaunch } from '../browser.ts'
import { TestServer } from '../server.ts'

/** Installed by npx on demand: it is larger than all of deeb. */
const LIGHTHOUSE = 'lighthouse@12.8.2'
const PAGES = ['/', '/companiesLP4358', '/teamsLP678', '/coming-soon', '/waitlist']
const SCORES = { performance: 'performance', accessibility: 'accessibility', practices: 'best-practices', seo: 'seo' }
const PAINTS = ['first-contentful-paint', 'largest-contentful-paint']
const TIMES = [...PAINTS, 'total-blocking-time', 'cumulative-layout-shift']

interface Report {
  userAgent: string
  categories: Record<string, { score: number | null }>
  audits: Record<string, { displayValue?: string; score: number | null }>
}

test('all five public pages score 100 in all four categories', async () => {
  const server = await TestServer.fresh()
  const reports = new Map<string, Report>()
  const paints = new Map<string, Report>()
  for (const path of PAGES) {
    reports.set(path, await measure(server.url + path))
    paints.set(path, await measure(server.url + path, ['--throttling-method=devtools', `--only-audits=${PAINTS}`]))
  }
  await server.dispose()

  await writeFile(new URL('../../docs/lighthouse.md', import.meta.url), page(reports, paints))
  for (const [path, report] of reports) {
    expect(scoresOf(report), `${path}: ${shortcomings(report)}`).toEqual([100, 100, 100, 100])
  }
})

/** Runs Lighthouse with its phone settings. It simulates the slow network, unless `options` throttle the browser. */
async function measure(url: string, options: string[] = []): Promise<Report> {
  const { executablePath, args = [], env } = await browserLaunch()
  const file = join(tmpdir(), `deeb-lighthouse-${process.pid}.json`)
  const flags = [...args, '--headless'].join(' ')
  await promisify(execFile)(
    'npx',
    ['-y', LIGHTHOUSE, url, '--quiet', '--output=json', `--output-path=${file}`, `--chrome-flags=${flags}`, ...options],
    {
      env: { ...process.env, ...(env as Record<string, string>), CHROME_PATH: executablePath },
      shell: process.platform === 'win32',
    },
  )
  return JSON.parse(await readFile(file, 'utf8'))
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

function page(reports: ReadonlyMap<string, Report>, paints: ReadonlyMap<string, Report>): string {
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
`
}
