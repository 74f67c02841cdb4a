import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, chromium, expect, type Page, type Worker } from '@playwright/test'
import { systemBrowser } from '../browser.ts'
import { FIREFOX, firefoxPath } from '../engines/find.ts'
import { FirefoxWithExtension } from '../engines/firefox-with-extension.ts'
import { test as base, becomeUser, type Calls, MARA, makeAccount } from '../test.ts'

const BUILT = fileURLToPath(new URL('../../extension/dist', import.meta.url))
/** A site that leads to the server of the test. */
const SITE = 'news.example.com'

/** Serves all pages of its site. */
const WORKER = `
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => event.respondWith(
  new Response('<p>From the worker', { headers: { 'Content-Type': 'text/html' } }),
))`

interface Browser {
  context: BrowserContext
  /** A page of the app in which Mara is signed in. */
  app: Page
  call: Calls
  /** Opens a page of the extension. */
  open: (name: string) => Promise<Page>
  url: (name: string) => string
  connect: () => Promise<Page>
  /** Presses the icon in the toolbar. */
  press: () => Promise<void>
  expectTitle: (title: string | RegExp) => Promise<void>
  /** Ends the background script, as the browser does after 30 seconds without an event. */
  endWorker: () => Promise<void>
}

const test = base.extend<{ siteWithWorker: string; browserWith: Browser; firefox: FirefoxWithExtension }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the needed fixtures from a pattern.
  siteWithWorker: async ({}, use) => {
    const site = createServer(({ url }, response) => {
      const isWorker = url === '/worker.js'
      response.writeHead(200, { 'Content-Type': isWorker ? 'text/javascript' : 'text/html' })
      response.end(isWorker ? WORKER : '<!doctype html><title>News</title><p>From the server')
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    await use(`http://${SITE}:${(site.address() as AddressInfo).port}/`)
    site.closeAllConnections()
    await new Promise((resolve) => site.close(resolve))
  },
  firefox: async ({ server: _ }, use, info) => {
    info.skip(!firefoxPath, `Skipped: there is no Firefox (${FIREFOX.install}).`)
    const firefox = await FirefoxWithExtension.launch(SITE)
    await use(firefox)
    await firefox.close()
  },
  browserWith: async ({ server, siteWithWorker }, use, info) => {
    const executablePath = systemBrowser()
    // The pinned one cannot load extensions.
    info.skip(!executablePath, 'Skipped: there is no Chromium of the system.')
    const folder = await mkdtemp(join(tmpdir(), 'deeb-extension-'))
    const extension = join(folder, 'extension')
    await cp(BUILT, extension, { recursive: true })
    await allow(extension)
    const args = [
      ...[
        '--headless=new',
        '--no-sandbox',
        `--disable-extensions-except=${extension}`,
        `--load-extension=${extension}`,
      ],
      `--host-resolver-rules=MAP ${SITE} 127.0.0.1`,
      // So that it can have a service worker.
      `--unsafely-treat-insecure-origin-as-secure=${new URL(siteWithWorker).origin}`,
    ]
    const profile = join(folder, 'profile')
    const context = await chromium.launchPersistentContext(profile, {
      serviceWorkers: 'allow',
      executablePath: executablePath ?? '',
      headless: false,
      args,
    })
    const isOwn = (worker: Worker) => worker.url().startsWith('chrome-extension:')
    const worker = async (): Promise<Worker> =>
      context.serviceWorkers().findLast(isOwn) ?? (await context.waitForEvent('serviceworker', isOwn))
    const origin = (await worker()).url()
    const url = (name: string) => new URL(name, origin).href
    const app = context.pages()[0] ?? (await context.newPage())
    const call = await becomeUser(app, server, MARA)
    async function open(name: string): Promise<Page> {
      const page = await context.newPage()
      await page.goto(url(name))
      return page
    }
    await use({
      ...{ context, app, call, open, url },
      async connect() {
        const page = await open('page.html')
        await page.getByLabel('Address of your deeb').fill(server.url)
        await page.getByRole('button', { name: 'Connect this browser' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Connect this browser' }).click()
        await expect(page.getByText(`Connected with ${new URL(server.url).host}`)).toBeVisible()
        return page
      },
      // No driver reaches the toolbar, whose press also gives the address of the tab.
      press: async () =>
        (await worker()).evaluate(async (address) => {
          const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true })
          const { onClicked } = chrome.action as unknown as { onClicked: { dispatch(tab: object): void } }
          onClicked.dispatch({ ...tab, url: address })
        }, app.url()),
      expectTitle: async (title) => {
        const read = async () => (await worker()).evaluate(() => chrome.action.getTitle({})).catch(String)
        await expect.poll(read, { timeout: 90_000 }).toMatch(title)
      },
      async endWorker() {
        const page = await open('page.html')
        const session = await context.newCDPSession(page)
        await session.send('ServiceWorker.enable')
        const stopped = new Promise<void>((resolve) => {
          session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
            if (versions.some(({ runningStatus }) => runningStatus === 'stopped')) resolve()
          })
        })
        await session.send('ServiceWorker.stopAllWorkers')
        await stopped
        await page.close()
      },
    })
    await context.close()
    await rm(folder, { recursive: true, force: true })
  },
})

/** Grants what the browser asks the person for: no driver can answer it. */
async function allow(extension: string): Promise<void> {
  const file = join(extension, 'manifest.json')
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  manifest.host_permissions = [`*://*.${SITE}/*`]
  manifest.permissions.push('idle')
  await writeFile(file, JSON.stringify(manifest))
}

const isOn = async (call: Calls) => (await call('GET', '/api/focus')).openSession !== null

test('connects in two presses, and then a press of the icon switches', { tag: '@heavy' }, async ({
  browserWith,
  server,
}) => {
  const { app, call, press, expectTitle } = browserWith
  await expectTitle('deeb: connect this browser')
  // Where the extension is downloaded, and after a press that was cancelled.
  await app.goto(`${server.url}/app/settings/apps`)
  await expect(app.getByRole('button', { name: 'Connect an app' })).toBeVisible()
  await app.bringToFront()
  await press()
  await app.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await press()
  await app.getByRole('dialog').getByRole('button', { name: 'Connect this browser' }).click()
  await expect(app.getByText(`Connected with ${new URL(server.url).host}`)).toBeVisible()
  await expectTitle('Not in deeb mode. Press to switch on.')

  await press()
  await expectTitle('In deeb mode. Press to switch off.')
  expect(await isOn(call)).toBe(true)
  await app.goto(`${server.url}/app/settings/apps`)
  await expect(app.getByText(/^May switch deeb mode, and see whether it is on\./)).toBeVisible()
  await app.getByRole('button', { name: 'End session' }).click()
  await expectTitle('Not in deeb mode. Press to switch on.')
  expect(await isOn(call)).toBe(false)
})

test('in deeb mode the sites of the quiet list wait, also without the background script', { tag: '@heavy' }, async ({
  browserWith,
  server,
  siteWithWorker,
}) => {
  const { context, call, url, connect, endWorker, expectTitle } = browserWith
  const open = await context.newPage()
  await open.goto(siteWithWorker)
  await open.evaluate(async () => {
    await navigator.serviceWorker.register('/worker.js')
    await navigator.serviceWorker.ready
  })
  await open.reload()
  await expect(open.getByText('From the worker')).toBeVisible()
  const page = await connect()
  await page.getByLabel('Site').fill(`https://${SITE}/world`)
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('button', { name: `Remove ${SITE}` })).toBeVisible()
  await page.getByRole('button', { name: 'Switch on' }).click()
  await expectTitle(/In deeb mode/)
  await endWorker()

  const site = `http://${SITE}:${new URL(server.url).port}/robots.txt`
  const tab = await context.newPage()
  await tab.goto(siteWithWorker)
  await expect(tab.getByText(`${SITE} waits until you are done.`)).toBeVisible()
  await expect(open).toHaveURL(siteWithWorker)
  await tab.goto(site)
  await expect(tab.getByText(`${SITE} waits until you are done.`)).toBeVisible()
  await tab.getByRole('button', { name: 'open anyway' }).click()
  await expect(tab).toHaveURL(site)

  // Only until the session ends.
  await call('PUT', '/api/focus', { on: false })
  await expectTitle(/Not in deeb mode/)
  await call('PUT', '/api/focus', { on: true })
  await expectTitle(/In deeb mode/)
  const other = await context.newPage()
  await other.goto(site)
  await expect(other.getByRole('button', { name: 'open anyway' })).toBeVisible()
  await call('PUT', '/api/focus', { on: false })
  await expect(other).toHaveURL(site)
  // A page can see where a window goes that it has opened, and so which sites are listed.
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    open.evaluate((address) => void window.open(address), `${url('quiet.html')}#${site}`),
  ])
  await expect(opened.getByRole('link', { name: `Open ${SITE}` })).toBeVisible()
})

test('after 40 minutes at the computer it asks whether to count them, and a disconnected one asks nothing', {
  tag: '@heavy',
}, async ({ browserWith }) => {
  const { call, connect, open, expectTitle } = browserWith
  const page = await connect()
  await expectTitle('Not in deeb mode. Press to switch on.')
  const popup = () => page.evaluate(() => chrome.action.getPopup({}))
  /** As if the person had been at the computer for so long. */
  const work = (minutes: number) =>
    page.evaluate(
      async (since) => {
        await chrome.storage.session.set({ active: { since, seenAt: Date.now() } })
        // Any change of it is noticed. If it were off for a moment, `active` could be forgotten.
        await chrome.storage.local.set({ nudges: since })
      },
      Date.now() - minutes * 60_000,
    )
  await work(39)
  await work(43)
  await expect.poll(popup).toContain('nudge.html')
  const nudge = await open('nudge.html')
  await nudge.getByRole('button', { name: 'Count 43 minutes' }).click()
  await expectTitle(/In deeb mode/)
  const { openSession } = await call('GET', '/api/focus')
  expect(Date.now() - Date.parse(openSession.startedAt)).toBeGreaterThan(42 * 60_000)
  expect(await popup()).toBe('')

  await call('PUT', '/api/focus', { on: false })
  await expectTitle('Not in deeb mode. Press to switch on.')
  await work(41)
  await expect.poll(popup).toContain('nudge.html')
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await expect.poll(popup).toBe('')
})

test('threat 288: a state that is not known is not shown', { tag: '@heavy' }, async ({ browserWith, server }) => {
  const { context, app, connect, press, expectTitle } = browserWith
  const page = await connect()
  await page.getByLabel('Site').fill(SITE)
  await page.getByRole('button', { name: 'Add' }).click()
  await press()
  await expectTitle(/In deeb mode/)
  const tab = await context.newPage()
  const site = `http://${SITE}:${new URL(server.url).port}/robots.txt`
  await tab.goto(site)
  await expect(tab.getByRole('button', { name: 'open anyway' })).toBeVisible()

  await server.stop()
  await expectTitle(/not known/)
  await expect(page.getByRole('heading', { name: 'Not known: the server does not answer.' })).toBeVisible()
  await expect(tab).not.toHaveURL(/quiet\.html/)
  await server.start()
  await expectTitle(/In deeb mode/)

  await app.goto(`${server.url}/app/settings/apps`)
  await app.getByRole('button', { name: /^Disconnect / }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expectTitle('deeb: connect this browser')
  await expect(page.getByRole('heading', { name: 'Not connected.' })).toBeVisible()
})

test('threat 289: a web page can neither connect the extension nor take its token', { tag: '@heavy' }, async ({
  browserWith,
  server,
}) => {
  const { context, app, url, connect, expectTitle } = browserWith
  const page = await context.newPage()
  await page.goto(`${server.url}/robots.txt`)
  await page.evaluate((address) => location.assign(address), `${url('connected.html')}#${btoa('deeb_pat_forged')}`)
  await expect(page.getByText('The connection did not work.')).toBeVisible()
  await expectTitle('deeb: connect this browser')

  // A window that a page has opened does not tell where it would go.
  const [window] = await Promise.all([
    context.waitForEvent('page'),
    app.evaluate((address) => void open(address), `${url('quiet.html')}#${server.url}/robots.txt`),
  ])
  await expect(window.getByRole('heading', { name: 'Nothing is kept away here.' })).toBeVisible()
  await expect(window.locator('[data-state=unknown]')).toBeVisible()

  for (const back of ['https://evil.example/connected.html', 'javascript:alert(1)//connected.html', url('page.html')]) {
    await app.goto(`${server.url}/app/settings/apps#${new URLSearchParams({ connect: back, key: 'AAAA' })}`)
    await expect(app.getByRole('button', { name: 'Connect an app' })).toBeVisible()
    await expect(app.getByRole('dialog')).toHaveCount(0)
  }
  // The address of a connection that has been made makes no second one.
  const connected = await connect()
  await connected.getByRole('button', { name: 'Disconnect' }).click()
  await connected.goto(`${url('connected.html')}#${btoa('x'.repeat(256))}`)
  await expect(connected.getByText('The connection did not work.')).toBeVisible()
})

test('Firefox connects in two presses, switches, and keeps the sites of the quiet list away', {
  tag: '@heavy',
}, async ({ firefox, server, request }) => {
  const { call } = await makeAccount(request, server, MARA)
  const app = await firefox.open(`${server.url}/app`)
  await expect.poll(() => firefox.textOf(app)).toContain('Sign In')
  await firefox.submit(app, { '[type=email]': MARA.email, '[type=password]': MARA.password })
  await expect.poll(() => firefox.textOf(app)).toContain('Hi mara')

  await firefox.pressIcon()
  await expect.poll(() => firefox.textOf(app)).toContain('Connect this browser?')
  await firefox.pressButton(app, 'Connect this browser')
  await expect.poll(() => firefox.titleOfIcon()).toBe('Not in deeb mode. Press to switch on.')
  await firefox.endBackground()
  await firefox.pressIcon()
  await expect.poll(() => firefox.titleOfIcon()).toBe('In deeb mode. Press to switch off.')
  expect(await isOn(call)).toBe(true)

  const page = (await firefox.pageOf('page.html')) ?? ''
  await firefox.submit(page, { '#site': SITE })
  await expect.poll(() => firefox.textOf(page)).toContain(`${SITE}\nRemove`)
  const site = `http://${SITE}:${new URL(server.url).port}/robots.txt`
  const tab = await firefox.open(site)
  await expect.poll(() => firefox.textOf(tab)).toContain(`${SITE} waits until you are done.`)
  await call('PUT', '/api/focus', { on: false })
  await expect.poll(() => firefox.urlOf(tab)).toBe(site)
})
