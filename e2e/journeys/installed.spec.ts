import { OLDEST_SAFE_CLIENT } from '@deeb/core/client-version'
import { APP_PATHS } from '@deeb/core/paths'
import { expect, type Page } from '@playwright/test'
import { ownBuild } from '../own-build.ts'
import { TestServer } from '../server.ts'
import {
  test as base,
  becomeUser,
  deebSwitch,
  MARA,
  openEveryPath,
  persistedCache,
  switchDeeb,
  today,
} from '../test.ts'

interface Fixtures {
  /** Starts a server with a version of the web app, and later replaces that by another version. */
  serve: (version: string) => Promise<{ server: TestServer; update: (version: string) => Promise<void> }>
}

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures.
  serve: async ({}, use) => {
    const build = await ownBuild()
    const servers: TestServer[] = []
    await use(async (version) => {
      await build.buildWeb(version)
      const server = await TestServer.fresh(undefined, { isAlone: true, dist: build.dist })
      servers.push(server)
      const update = async (version: string) => {
        await server.stop()
        await build.buildWeb(version)
        await server.start()
      }
      return { server, update }
    })
    for (const server of servers) await server.dispose()
    await build.dispose()
  },
})

test.use({ serviceWorkers: 'allow' })

const TOKENS = 'deeb.auth.token'

const UNSAFE = '0.0.1'
const NEWER = '999.0.0'

/** Waits until the service worker has precached the app and the persisted query cache contains `text`. */
async function waitForOfflineMode(page: Page, text: string): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await expect.poll(() => persistedCache(page)).toContain(text)
}

/** Makes the stored access token expired. */
async function expireTokens(page: Page): Promise<void> {
  await page.evaluate((key) => {
    const tokens = JSON.parse(localStorage.getItem(key) ?? '{}')
    localStorage.setItem(key, JSON.stringify({ ...tokens, expires_at: 1, expires_in: 0 }))
  }, TOKENS)
}

const scopes = (page: Page) =>
  page.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname),
  )

/** Waits for a request of a client of that version. */
const requestOfVersion = (page: Page, version: string) =>
  page.waitForRequest((request) => request.headers()['x-client-info'] === `deeb-web/${version}`, { timeout: 60_000 })

/** The paths in the service worker's caches. */
const cachedPaths = (page: Page) =>
  page.evaluate(async () => {
    const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const requests = await Promise.all(opened.map((cache) => cache.keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })

/** The paths of all scripts and styles that the app's page names, directly or in another script. */
async function namedFiles(page: Page, url: string): Promise<string[]> {
  const found = new Set<string>()
  const read = async (path: string): Promise<void> => {
    const text = await (await page.request.get(url + path)).text()
    // Absolute in the page, relative in a script.
    for (const [, name = ''] of text.matchAll(/["'`(]((?:\/assets\/|\.\.?\/)[\w/-]+\.(?:js|css))["'`)]/g)) {
      const { pathname } = new URL(name, url + path)
      if (found.has(pathname)) continue
      found.add(pathname)
      if (pathname.endsWith('.js')) await read(pathname)
    }
  }
  await read('/app')
  return [...found]
}

test('offline mode: Home renders from the persisted cache, and refetches when the network returns', async ({
  page,
  context,
  server,
}) => {
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  await server.travel(25)
  await switchDeeb(page, 'off')
  await expect(today(page)).toHaveAccessibleName(/^0 hours 25 minutes/)
  await page.getByRole('button', { name: 'Profile' }).click()
  await waitForOfflineMode(page, '"averageWeekMinutes"')
  await server.stop()
  await context.setOffline(true)

  const isDrawn = async () => {
    await expect(page).toHaveURL(`${server.url}/app/home`)
    await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
    await expect(today(page)).toHaveAccessibleName(/^0 hours 25 minutes/)
    await expect(deebSwitch(page)).toBeEnabled()
  }
  await page.goto(`${server.url}/app/home`)
  await isDrawn()
  await page.reload()
  await isDrawn()
  await page.goto(`${server.url}/app`)
  await isDrawn()
  await page.getByRole('button', { name: 'Profile' }).click()
  await expect(page.getByRole('img', { name: '0 hours 25 minutes', exact: true }).first()).toBeVisible()

  await expireTokens(page)
  await page.goto(`${server.url}/app/home`)
  await isDrawn()
  await deebSwitch(page).click()
  await expect(deebSwitch(page)).toBeChecked()
  await expect(page.getByText('1 change waiting to sync')).toBeVisible()

  await server.start()
  await context.setOffline(false)
  await expect(page.getByText('1 change waiting to sync')).toHaveCount(0, { timeout: 80_000 })
  await expect(page.getByRole('timer')).toBeVisible()
})

test('offline mode: Team, Circles and sign-in settings show what was seen last, and claim nothing about colleagues', {
  tag: '@heavy',
}, async ({ page, context, newDevice, server }) => {
  const other = await newDevice()
  const adaCalls = await becomeUser(other, server, { ...MARA, email: 'ada.novak@fjordlab.example', username: 'ada' })
  const calls = await becomeUser(page, server, MARA)
  const idBy = async (call: typeof calls) => (await call('GET', '/api/home?timeZone=UTC')).profile.id
  await calls('POST', '/api/team/requests', { userId: await idBy(adaCalls) })
  await adaCalls('POST', '/api/team/requests', { userId: await idBy(calls) })
  const { invite } = await calls('POST', '/api/circles', { name: 'Backend' })
  await switchDeeb(other, 'on')
  const open = (path: string) => page.goto(server.url + path)
  const main = page.getByRole('main')
  await open(APP_PATHS.team)
  await expect(main).toContainText('In deeb mode')
  await waitForOfflineMode(page, '"connections"')
  await open(APP_PATHS.circles)
  await expect(main.getByRole('button', { name: /^Backend/ })).toBeVisible()
  await waitForOfflineMode(page, '"hidden"')
  await open(APP_PATHS.signInSettings)
  await expect(main).toContainText('127.0.0.1')
  await waitForOfflineMode(page, '"lastUsedAt"')
  for (const text of [invite, '"inDeebMode":true']) expect(await persistedCache(page)).not.toContain(text)
  await server.stop()
  await context.setOffline(true)

  await open(APP_PATHS.team)
  await expect(main).toContainText('Who is in deeb mode right now is unknown.')
  await expect(main).toContainText('ada')
  await expect(main).not.toContainText(/In deeb mode|Available/)
  await open(APP_PATHS.circles)
  await expect(main).toContainText('As of')
  await expect(main).toContainText('Backend')
  await open(APP_PATHS.signInSettings)
  await expect(main).toContainText('As of')
  await expect(main).toContainText('127.0.0.1')
  expect(await persistedCache(page)).toContain('ada.novak')
  await open(APP_PATHS.settings)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  expect(await persistedCache(page)).not.toContain('ada.novak')
})

test('offline mode: the second visit has the switch, toasts and dialogs', { tag: '@heavy' }, async ({
  page,
  context,
  server,
}) => {
  await becomeUser(page, server, MARA)
  await waitForOfflineMode(page, '"today"')
  await server.stop()
  await context.setOffline(true)
  await page.goto(`${server.url}/app/settings`)
  await page.getByRole('link', { name: 'Your data' }).click()
  for (const name of ['Download my data', 'Delete account']) {
    await page.getByRole('button', { name, exact: true }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Back to Settings' }).click()
  await page.getByLabel('Username').fill('lind')
  await page.getByRole('button', { name: 'Update Username' }).click()
  await expect(page.getByRole('alert')).toContainText('Failed to update username')

  await page.getByRole('button', { name: 'deeb home' }).click()
  await deebSwitch(page).click()
  await expect(deebSwitch(page)).toBeChecked()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('dialog', { name: '1 change has not been sent.' })).toBeVisible()
})

test('offline mode: a wrong clock shows the last known time of the server', { tag: '@heavy' }, async ({
  page,
  context,
  server,
}) => {
  await page.clock.install({ time: Date.now() + 47 * 60_000 })
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  await waitForOfflineMode(page, '"clockOffsetMs":-28')
  await waitForOfflineMode(page, '"openSession":{')
  await server.stop()
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('timer')).toHaveText(/^0:0[01]:\d\d$/)
})

test('Home renders from the persisted cache after waiting for a server that does not answer, and a proxy that answers instead signs nobody out', {
  tag: '@heavy',
}, async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await waitForOfflineMode(page, '"today"')
  await expireTokens(page)
  await server.stop()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await page.route(/\/(api|auth)\//, (route) => route.fulfill({ status: 404, body: '404 page not found' }))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await server.start()
  await page.unroute(/\/(api|auth)\//)
  await page.reload()
  await switchDeeb(page, 'on')
})

test('offline mode: a new day begins without a network', { tag: '@heavy' }, async ({ page, context, server }) => {
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  await server.travel(25)
  await switchDeeb(page, 'off')
  await expect(today(page)).toHaveAccessibleName(/^0 hours 25 minutes/)
  await waitForOfflineMode(page, '"savedSeconds":15')
  await server.stop()
  await context.setOffline(true)
  await page.clock.install({ time: Date.now() + 24 * 3_600_000 })
  await page.reload()
  await expect(today(page)).toHaveAccessibleName(/^0 hours 0 minutes/)
})

test('signing out deletes the persisted cache', { tag: '@heavy' }, async ({ page, context, server }) => {
  await becomeUser(page, server, MARA)
  await waitForOfflineMode(page, '"today"')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(`${server.url}/app`)
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0)
  await context.setOffline(true)
  await page.goto(`${server.url}/app/home`)
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
})

test('the app is installable, and its service worker controls only the app, with the security headers of the server', {
  tag: '@heavy',
}, async ({ page, context, server }) => {
  await page.goto(server.url)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await scopes(page)).toEqual([])
  await page.goto(`${server.url}/app`)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  expect(await scopes(page)).toEqual(['/app'])
  const files = await cachedPaths(page)
  expect(files).toContain('/app')
  expect(files.filter((path) => /enhance|lead-form|share|html/.test(path))).toEqual([])
  const absent = (await namedFiles(page, server.url)).filter((path) => !files.includes(path))
  // The others are of the native apps.
  expect(absent.filter((path) => !/\/(shell|secure-tokens|web|native|base|dist)-/.test(path))).toEqual([])

  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await page.request.get(server.url + href)
  expect(answer.headers()['content-type']).toContain('application/manifest+json')
  const manifest = await answer.json()
  expect(manifest).toMatchObject({ id: '/app', scope: '/app', start_url: '/app/home', display: 'standalone' })
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await page.request.get(server.url + src)
    expect([src, icon.status(), icon.headers()['content-type']]).toEqual([src, 200, type])
    if (type !== 'image/png') continue
    const picture = await icon.body()
    expect([src, `${picture.readUInt32BE(16)}x${picture.readUInt32BE(20)}`]).toEqual([src, sizes])
  }
  // The installability errors of Chromium.
  const devtools = await page.context().newCDPSession(page)
  expect((await devtools.send('Page.getAppManifest')).errors).toEqual([])

  const cached = await page.goto(`${server.url}/app/signup`)
  await expect(page.getByRole('heading', { name: 'Create Account' })).toBeVisible()
  expect(cached?.fromServiceWorker()).toBe(true)
  const fresh = await page.request.get(`${server.url}/app/signup`)
  for (const name of ['content-security-policy', 'referrer-policy', 'x-content-type-options', 'content-type']) {
    expect([name, cached?.headers()[name]]).toEqual([name, fresh.headers()[name]])
  }
  expect((await page.goto(`${server.url}/app/nowhere`))?.status()).toBe(404)
  await page.goto(server.url)
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
  await context.setOffline(true)
  await expect(page.goto(`${server.url}/waitlist`)).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
})

test('an app update is offered and waits for a tap', { tag: '@heavy' }, async ({ page, context, serve }) => {
  const { server, update } = await serve(OLDEST_SAFE_CLIENT)
  await becomeUser(page, server, MARA)
  await waitForOfflineMode(page, '"today"')
  const other = await context.newPage()
  await other.goto(`${server.url}/app/profile`)
  await expect(other.getByRole('heading', { name: 'Profile' })).toBeVisible()

  await update(NEWER)
  await Promise.all([requestOfVersion(other, OLDEST_SAFE_CLIENT), other.reload()])
  const offers = [page, other].map((tab) => tab.getByRole('button', { name: 'Update' }))
  // It is offered in the tab of the first visit too, which no worker controls.
  for (const offer of offers) await expect(offer).toBeVisible()
  // The note covers nothing.
  await other.setViewportSize({ width: 320, height: 640 })
  await other.getByRole('button', { name: 'Team' }).click()
  await other.getByRole('searchbox').click()
  // A navigation does not replace a safe version.
  await Promise.all([
    requestOfVersion(other, OLDEST_SAFE_CLIENT),
    other.getByRole('button', { name: 'Profile' }).click(),
  ])

  await Promise.all([requestOfVersion(page, NEWER), page.getByRole('button', { name: 'Update' }).click()])
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Update' })).toHaveCount(0)
  // The other tab does not reload before its user accepts.
  await expect(other.getByRole('button', { name: 'Update' })).toBeVisible()
  await other.getByRole('button', { name: 'Update' }).click()
  await expect(other.getByRole('button', { name: 'Update' })).toHaveCount(0)
  expect(await other.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
  // Each path has the new page with its own policy: a blocked script would be an error in the console.
  await openEveryPath(other, server, async (answer) => expect(answer?.fromServiceWorker()).toBe(true))
})

test('threat 97: an unsafe version updates at the next navigation without asking, and keeps a pending change', {
  tag: '@heavy',
}, async ({ page, context, serve }) => {
  const { server, update } = await serve(UNSAFE)
  await becomeUser(page, server, MARA)
  await waitForOfflineMode(page, '"today"')
  const other = await context.newPage()
  const watchesForUpdates = other.waitForRequest('**/register-worker-*.js')
  await other.goto(`${server.url}/app/team`)
  await other.getByRole('searchbox').fill('noa')
  await watchesForUpdates
  await update(OLDEST_SAFE_CLIENT)

  // The update is not downloaded yet. It waits for the next navigation.
  await Promise.all([requestOfVersion(page, UNSAFE), page.getByRole('button', { name: 'Profile' }).click()])
  await expect(page.getByRole('button', { name: 'Update' })).toBeVisible()
  await context.route('**/api/focus/*', (route) => route.abort())
  await deebSwitch(page).click()
  await expect(deebSwitch(page)).toBeChecked()
  await page.evaluate(() => Object.assign(window, { isOldPage: true }))
  await Promise.all([
    requestOfVersion(page, OLDEST_SAFE_CLIENT),
    page.getByRole('button', { name: 'Settings' }).click(),
  ])
  await expect(page).toHaveURL(`${server.url}/app/settings`)
  expect(await page.evaluate(() => 'isOldPage' in window)).toBe(false)

  await page.getByRole('button', { name: 'deeb home' }).click()
  await expect(deebSwitch(page)).toBeChecked()
  await expect(page.getByRole('timer')).toBeVisible()
  await expect(page.getByText('1 change waiting to sync')).toBeVisible()
  await context.unroute('**/api/focus/*')
  await expect(page.getByText('1 change waiting to sync')).toHaveCount(0, { timeout: 80_000 })
  await expect(page.getByRole('button', { name: 'Update' })).toHaveCount(0)

  // The other tab does not reload before a navigation.
  await expect(other.getByRole('button', { name: 'Update' })).toBeVisible()
  await expect(other.getByRole('searchbox')).toHaveValue('noa')
  await Promise.all([
    requestOfVersion(other, OLDEST_SAFE_CLIENT),
    other.getByRole('button', { name: 'Profile' }).click(),
  ])
  await expect(other.getByRole('heading', { name: 'Profile' })).toBeVisible()
})

test('threat 97: an unsafe version updates when the page is loaded and not touched', { tag: '@heavy' }, async ({
  page,
  serve,
}) => {
  const { server, update } = await serve(UNSAFE)
  await becomeUser(page, server, MARA)
  await waitForOfflineMode(page, '"today"')
  await update(OLDEST_SAFE_CLIENT)
  await Promise.all([requestOfVersion(page, UNSAFE), page.reload()])
  await expect(page.getByRole('button', { name: 'Update' })).toBeVisible()
  await Promise.all([requestOfVersion(page, OLDEST_SAFE_CLIENT), page.reload()])
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Update' })).toHaveCount(0)
})

test.describe('without a service worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('threat 97: an unsafe version updates at the next navigation, once', { tag: '@heavy' }, async ({
    page,
    context,
    serve,
  }) => {
    const { server, update } = await serve(UNSAFE)
    const isWatched = page.waitForResponse('**/register-worker-*.js')
    await becomeUser(page, server, MARA)
    await isWatched
    await switchDeeb(page, 'on')
    const loads: string[] = []
    page.on('load', () => loads.push(page.url()))
    // The served build is not newer, so there is no reload.
    await page.getByRole('button', { name: 'Profile' }).click()
    await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
    // Offline there is no reload, since it could not load the page.
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Settings' }).click()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'deeb home' }).click()
    await expect(page.getByRole('timer')).toBeVisible()
    expect(loads).toEqual([])

    await update(OLDEST_SAFE_CLIENT)
    await Promise.all([
      requestOfVersion(page, OLDEST_SAFE_CLIENT),
      page.getByRole('button', { name: 'Profile' }).click(),
    ])
    await page.getByRole('button', { name: 'deeb home' }).click()
    await expect(page.getByRole('timer')).toBeVisible()
    expect(loads).toEqual([`${server.url}/app/profile`])
  })
})
