import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page, test } from '@playwright/test'
import { browserLaunch } from '../browser.ts'
import {
  median,
  pressSwitch,
  probedPage,
  ringPaintedAt,
  type StorageState,
  signedInStorage,
  slowDown,
} from '../paint.ts'
import { TestServer } from '../server.ts'
import { deebSwitch, persistedCache } from '../test.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ROUNDS = Number(process.env.ROUNDS ?? 8)
const PRESSES = 4
const SETTLE_MS = 3_000
const IDLE_AFTER_MS = 13_000
const IDLE_MS = 60_000

/** Both figures of each round, of the other build and of this one. */
type Pair = [before: number, now: number]
type Figures = Record<string, number>

interface Build {
  folder: string
  server: TestServer
  storage: StorageState
  /** A browser context with the service worker and the persisted cache. */
  visited: BrowserContext
}

test('the first paint of two builds, in alternating rounds', async () => {
  test.skip(!process.env.BEFORE, 'BEFORE names the folder of the other build.')
  const browser = await chromium.launch(await browserLaunch())
  const folders = [resolve(ROOT, process.env.BEFORE ?? ''), ROOT]
  const builds = await Promise.all(folders.map((folder) => open(browser, folder)))
  const rounds = new Map<string, Pair[]>()
  for (let round = 0; round < ROUNDS; round++) {
    const figures: Figures[] = []
    for (const which of round % 2 === 0 ? [0, 1] : [1, 0])
      figures[which] = await measure(browser, builds[which] as Build)
    note(rounds, figures)
  }
  note(rounds, await Promise.all(builds.map(sizes)))
  note(rounds, await idle(builds))
  console.log(table(rounds))
  await browser.close()
  for (const { server } of builds) await server.dispose()
})

async function open(browser: Browser, folder: string): Promise<Build> {
  const server = await TestServer.first({ dist: join(folder, 'server', 'dist') })
  const storage = await signedInStorage(browser, server)
  const visited = await browser.newContext({ storageState: storage })
  const page = await visited.newPage()
  await page.goto(`${server.url}/app/home`)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await test.expect.poll(() => persistedCache(page)).toContain('"today"')
  await page.close()
  return { folder, server, storage, visited }
}

async function measure(browser: Browser, { server, storage, visited }: Build): Promise<Figures> {
  const context = await browser.newContext({ storageState: storage })
  const cold = await probedPage(context)
  const requests = requestsOf(await slowDown(cold))
  await cold.goto(`${server.url}/app/home`)
  const coldRing = await ringPaintedAt(cold)
  const before = requests(coldRing)
  await context.close()

  const second = await probedPage(visited)
  await slowDown(second)
  await second.goto(`${server.url}/app/home`)
  const secondRing = await ringPaintedAt(second)
  await second.waitForTimeout(SETTLE_MS)
  const presses = []
  for (let press = 0; press < PRESSES; press++) presses.push(await pressSwitch(second))
  await second.close()

  return {
    'first visit: ring painted, ms': coldRing,
    'second visit: ring painted, ms': secondRing,
    'press to change, ms': median(presses.map(({ toChange }) => toChange)),
    'press to paint, ms': median(presses.map(({ toPaint }) => toPaint)),
    'first visit: sent before the ring without the font, kB':
      sum(before.filter(({ url }) => !url.endsWith('.woff2')).map(({ bytes }) => bytes)) / 1000,
    'first visit: requests that ended before the ring': before.length,
    'first visit: of these, scripts': before.filter(({ url }) => url.endsWith('.js')).length,
  }
}

/** The scripts without which Home is not drawn, by the limits of that build. */
async function sizes({ folder }: Build): Promise<Figures> {
  const { default: limits } = await import(pathToFileURL(join(folder, '.size-limit.js')).href)
  const { path } = limits.find(({ name }: { name: string }) => name === '/app/home script')
  const scripts = (path as string[]).map((script) => readFileSync(join(folder, script)))
  return {
    'scripts of Home, gzip -9, kB': sum(scripts.map((script) => gzipSync(script, { level: 9 }).length)) / 1000,
    'scripts of Home, brotli, kB': sum(scripts.map((script) => brotliCompressSync(script).length)) / 1000,
    'scripts of Home, files': scripts.length,
  }
}

interface Loaded {
  url: string
  /** Headers included. */
  bytes: number
}

/** Records the requests of a page. Returns those that had ended at a time of the page, in ms from the navigation. */
function requestsOf(devtools: CDPSession): (atMs: number) => Loaded[] {
  let startedAt: number | undefined
  const urls = new Map<string, string>()
  const ended: (Loaded & { endedAt: number })[] = []
  devtools.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    startedAt ??= timestamp
    urls.set(requestId, request.url)
  })
  devtools.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    ended.push({ url: urls.get(requestId) ?? '', bytes: encodedDataLength, endedAt: timestamp })
  })
  return (atMs) => ended.filter(({ endedAt }) => (endedAt - (startedAt ?? 0)) * 1000 <= atMs)
}

/** The CPU time of all processes of a browser with one tab in a minute, both browsers at the same time. */
async function idle(builds: readonly Build[]): Promise<Figures[]> {
  const browsers = await Promise.all(builds.map(async () => chromium.launch(await browserLaunch())))
  const tabs = await Promise.all(builds.map((build, which) => openTab(browsers[which] as Browser, build)))
  const cpuOf = async (state: 'on' | 'off'): Promise<Figures[]> => {
    for (const tab of tabs) if ((await deebSwitch(tab).isChecked()) !== (state === 'on')) await deebSwitch(tab).click()
    await tabs[0]?.waitForTimeout(IDLE_AFTER_MS)
    const start = await Promise.all(browsers.map(cpuSeconds))
    await tabs[0]?.waitForTimeout(IDLE_MS)
    const end = await Promise.all(browsers.map(cpuSeconds))
    return end.map((seconds, which) => ({
      [`CPU of an open tab, deeb mode ${state}, %`]: ((seconds - (start[which] ?? 0)) * 100_000) / IDLE_MS,
    }))
  }
  const off = await cpuOf('off')
  const on = await cpuOf('on')
  await Promise.all(browsers.map((browser) => browser.close()))
  return off.map((figures, which) => ({ ...figures, ...on[which] }))
}

async function openTab(browser: Browser, { server, storage }: Build): Promise<Page> {
  const page = await (await browser.newContext({ storageState: storage })).newPage()
  await page.goto(`${server.url}/app/home`)
  await test.expect(deebSwitch(page)).toBeEnabled()
  return page
}

async function cpuSeconds(browser: Browser): Promise<number> {
  const devtools = await browser.newBrowserCDPSession()
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
  await devtools.detach()
  return sum(processInfo.map(({ cpuTime }) => cpuTime))
}

function note(rounds: Map<string, Pair[]>, [before = {}, now = {}]: Figures[]): void {
  for (const [name, value] of Object.entries(before)) {
    rounds.set(name, [...(rounds.get(name) ?? []), [value, now[name] ?? Number.NaN]])
  }
}

function table(rounds: ReadonlyMap<string, Pair[]>): string {
  const rows = [...rounds].map(([name, pairs]) => {
    const ratios = pairs.map(([before, now]) => now / before)
    const figures = [median(pairs.map(([before]) => before)), median(pairs.map(([, now]) => now))].map((one) =>
      one.toFixed(1),
    )
    return `| ${[name, ...figures, median(ratios).toFixed(2), ratios.map((one) => one.toFixed(2)).join(' ')].join(' | ')} |`
  })
  return ['| median | before | now | ratio | ratio of each round |', '|---|---|---|---|---|', ...rows].join('\n')
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
