import { OLDEST_SAFE_CLIENT } from '@deeb/core/client-version'
import { expect, type Page } from '@playwright/test'
import { ownBuild } from '../own-build.ts'
import { TestServer } from '../server.ts'
import { becomeUser, deebSwitch, MARA, switchDeeb, test, today } from '../test.ts'

test.use({ serviceWorkers: 'allow' })

const TOKENS = 'deeb.auth.token'
const KEPT = 'deeb.kept-reads'

const UNSAFE = '0.0.1'
const NEWER = '999.0.0'

/** The browser has all that the app is made of, and what was read last says `text`. */
async function becomesKept(page: Page, text: string): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await expect.poll(() => page.evaluate((key) => localStorage.getItem(key) ?? '', KEPT)).toContain(text)
}

/** As if the hour of the access token had passed. */
async function letTokensRunOut(page: Page): Promise<void> {
  await page.evaluate((key) => {
    const tokens = JSON.parse(localStorage.getItem(key) ?? '{}')
    localStorage.setItem(key, JSON.stringify({ ...tokens, expires_at: 1, expires_in: 0 }))
  }, TOKENS)
}

const scopes = (page: Page) =>
  page.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname),
  )

/** Waits until the page calls the server as a build of that version. */
const asksAs = (page: Page, version: string) =>
  page.waitForRequest((request) => request.headers()['x-client-info'] === `deeb-web/${version}`, { timeout: 60_000 })

/** What the browser keeps for the app, beside tokens. */
const keptFiles = (page: Page) =>
  page.evaluate(async () => {
    const kept = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const requests = await Promise.all(kept.map((cache) => cache.keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })

test('without a network Home is drawn from what was read last, and follows when it is back', async ({
  page,
  context,
  server,
}) => {
  test.slow()
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  await server.travel(25)
  await switchDeeb(page, 'off')
  await expect(today(page)).toHaveAccessibleName(/^0 hours 25 minutes/)
  await page.getByRole('button', { name: 'Profile' }).click()
  await becomesKept(page, '"averageWeekMinutes"')
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

  await letTokensRunOut(page)
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

test('without a network a wrong clock shows the time by the server, as it was known last', async ({
  page,
  context,
  server,
}) => {
  await page.clock.install({ time: Date.now() + 47 * 60_000 })
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  await becomesKept(page, '"clockOffsetMs":-28')
  await becomesKept(page, '"openSession":{')
  await server.stop()
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('timer')).toHaveText(/^0:0[01]:\d\d$/)
})

test('a server that does not answer is waited for, then Home is drawn all the same', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await becomesKept(page, '"today"')
  await letTokensRunOut(page)
  await server.stop()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
})

test('a proxy that answers in place of the server signs nobody out', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await becomesKept(page, '"today"')
  await letTokensRunOut(page)
  await server.stop()
  await page.route(/\/(api|auth)\//, (route) => route.fulfill({ status: 404, body: '404 page not found' }))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await server.start()
  await page.unroute(/\/(api|auth)\//)
  await page.reload()
  await switchDeeb(page, 'on')
})

test('on the next morning, still without a network, the day is a new one', async ({ page, context, server }) => {
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  await server.travel(25)
  await switchDeeb(page, 'off')
  await expect(today(page)).toHaveAccessibleName(/^0 hours 25 minutes/)
  await becomesKept(page, '"savedSeconds":15')
  await server.stop()
  await context.setOffline(true)
  await page.clock.install({ time: Date.now() + 24 * 3_600_000 })
  await page.reload()
  await expect(today(page)).toHaveAccessibleName(/^0 hours 0 minutes/)
})

test('signing out leaves nothing that was read', async ({ page, context, server }) => {
  await becomeUser(page, server, MARA)
  await becomesKept(page, '"today"')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(`${server.url}/app`)
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0)
  await context.setOffline(true)
  await page.goto(`${server.url}/app/home`)
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
})

test('the worker looks after the app alone', async ({ page, context, server }) => {
  await page.goto(server.url)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await scopes(page)).toEqual([])
  await page.goto(`${server.url}/app`)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  expect(await scopes(page)).toEqual(['/app'])
  const files = await keptFiles(page)
  expect(files).toContain('/app')
  expect(files.filter((path) => /enhance|lead-form|share|html/.test(path))).toEqual([])

  await page.goto(`${server.url}/app/signup`)
  await expect(page.getByRole('heading', { name: 'Create Account' })).toBeVisible()
  expect((await page.goto(`${server.url}/app/nowhere`))?.status()).toBe(404)
  await page.goto(server.url)
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
  await context.setOffline(true)
  await expect(page.goto(`${server.url}/waitlist`)).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
})

test('a page of the app from the worker says the same of its safety as one from the server', async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/app`)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  const kept = await page.goto(`${server.url}/app/signup`)
  expect(kept?.fromServiceWorker()).toBe(true)
  const fresh = await page.request.get(`${server.url}/app/signup`)
  for (const name of ['content-security-policy', 'referrer-policy', 'x-content-type-options', 'content-type']) {
    expect([name, kept?.headers()[name]]).toEqual([name, fresh.headers()[name]])
  }
})

test('the browser is told how to install it', async ({ page, server }) => {
  await page.goto(`${server.url}/app`)
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
  // What Chromium itself finds wrong with it.
  const devtools = await page.context().newCDPSession(page)
  expect((await devtools.send('Page.getAppManifest')).errors).toEqual([])
})

test('a new version is offered, and taken by a tap', async ({ page, context }) => {
  test.slow()
  const build = await ownBuild()
  await build.buildWeb(OLDEST_SAFE_CLIENT)
  const server = await TestServer.fresh(undefined, { main: build.main })
  try {
    await becomeUser(page, server, MARA)
    await becomesKept(page, '"today"')
    const other = await context.newPage()
    await other.goto(`${server.url}/app/profile`)
    await expect(other.getByRole('heading', { name: 'Profile' })).toBeVisible()

    await server.stop()
    await build.buildWeb(NEWER)
    await server.start()
    await Promise.all([asksAs(other, OLDEST_SAFE_CLIENT), other.reload()])
    const offers = [page, other].map((tab) => tab.getByRole('button', { name: 'Update' }))
    // Also to the tab of the first visit, which no worker has served.
    for (const offer of offers) await expect(offer).toBeVisible()
    // It covers nothing.
    await other.setViewportSize({ width: 320, height: 640 })
    await other.getByRole('button', { name: 'Team' }).click()
    await other.getByRole('searchbox').click()
    // A version that is safe is not taken by a navigation.
    await Promise.all([asksAs(other, OLDEST_SAFE_CLIENT), other.getByRole('button', { name: 'Profile' }).click()])

    await Promise.all([asksAs(page, NEWER), page.getByRole('button', { name: 'Update' }).click()])
    await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Update' })).toHaveCount(0)
    // Elsewhere nothing is thrown away before its person says so.
    await expect(other.getByRole('button', { name: 'Update' })).toBeVisible()
    await other.getByRole('button', { name: 'Update' }).click()
    await expect(other.getByRole('button', { name: 'Update' })).toHaveCount(0)
    expect(await other.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
  } finally {
    await server.dispose()
    await build.dispose()
  }
})

test('threat 97: an unsafe version is replaced at the next navigation without asking, and keeps an unsent press', async ({
  page,
  context,
}) => {
  test.slow()
  const build = await ownBuild()
  await build.buildWeb(UNSAFE)
  const server = await TestServer.fresh(undefined, { main: build.main })
  try {
    await becomeUser(page, server, MARA)
    await becomesKept(page, '"today"')
    const other = await context.newPage()
    await other.goto(`${server.url}/app/team`)
    await other.getByRole('searchbox').fill('noa')
    await server.stop()
    await build.buildWeb(OLDEST_SAFE_CLIENT)
    await server.start()

    // Nothing is there yet: it is fetched, and waits for the navigation after.
    await Promise.all([asksAs(page, UNSAFE), page.getByRole('button', { name: 'Profile' }).click()])
    await expect(page.getByRole('button', { name: 'Update' })).toBeVisible()
    await context.route('**/api/focus/*', (route) => route.abort())
    await deebSwitch(page).click()
    await expect(deebSwitch(page)).toBeChecked()
    await page.evaluate(() => Object.assign(window, { isOldPage: true }))
    await Promise.all([asksAs(page, OLDEST_SAFE_CLIENT), page.getByRole('button', { name: 'Settings' }).click()])
    await expect(page).toHaveURL(`${server.url}/app/settings`)
    expect(await page.evaluate(() => 'isOldPage' in window)).toBe(false)

    await page.getByRole('button', { name: 'deeb home' }).click()
    await expect(deebSwitch(page)).toBeChecked()
    await expect(page.getByRole('timer')).toBeVisible()
    await expect(page.getByText('1 change waiting to sync')).toBeVisible()
    await context.unroute('**/api/focus/*')
    await expect(page.getByText('1 change waiting to sync')).toHaveCount(0, { timeout: 80_000 })
    await expect(page.getByRole('button', { name: 'Update' })).toHaveCount(0)

    // Elsewhere nobody is interrupted before going to another screen.
    await expect(other.getByRole('button', { name: 'Update' })).toBeVisible()
    await expect(other.getByRole('searchbox')).toHaveValue('noa')
    await Promise.all([asksAs(other, OLDEST_SAFE_CLIENT), other.getByRole('button', { name: 'Profile' }).click()])
    await expect(other.getByRole('heading', { name: 'Profile' })).toBeVisible()
  } finally {
    await server.dispose()
    await build.dispose()
  }
})

test('threat 97: an unsafe version is replaced when the page is loaded and nobody has touched it', async ({ page }) => {
  test.slow()
  const build = await ownBuild()
  await build.buildWeb(UNSAFE)
  const server = await TestServer.fresh(undefined, { main: build.main })
  try {
    await becomeUser(page, server, MARA)
    await becomesKept(page, '"today"')
    await server.stop()
    await build.buildWeb(OLDEST_SAFE_CLIENT)
    await server.start()
    await Promise.all([asksAs(page, UNSAFE), page.reload()])
    await expect(page.getByRole('button', { name: 'Update' })).toBeVisible()
    await Promise.all([asksAs(page, OLDEST_SAFE_CLIENT), page.reload()])
    await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Update' })).toHaveCount(0)
  } finally {
    await server.dispose()
    await build.dispose()
  }
})

test.describe('without a service worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('threat 97: an unsafe version is replaced at the next navigation, once', async ({ page, context }) => {
    test.slow()
    const build = await ownBuild()
    await build.buildWeb(UNSAFE)
    const server = await TestServer.fresh(undefined, { main: build.main })
    try {
      const isWatched = page.waitForResponse('**/register-worker-*.js')
      await becomeUser(page, server, MARA)
      await isWatched
      await switchDeeb(page, 'on')
      const loads: string[] = []
      page.on('load', () => loads.push(page.url()))
      // The build that is served is no newer: nothing would be gained.
      await page.getByRole('button', { name: 'Profile' }).click()
      await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
      // Without a network there would be nothing to show.
      await context.setOffline(true)
      await page.getByRole('button', { name: 'Settings' }).click()
      await context.setOffline(false)
      await page.getByRole('button', { name: 'deeb home' }).click()
      await expect(page.getByRole('timer')).toBeVisible()
      expect(loads).toEqual([])

      await server.stop()
      await build.buildWeb(OLDEST_SAFE_CLIENT)
      await server.start()
      await Promise.all([asksAs(page, OLDEST_SAFE_CLIENT), page.getByRole('button', { name: 'Profile' }).click()])
      await page.getByRole('button', { name: 'deeb home' }).click()
      await expect(page.getByRole('timer')).toBeVisible()
      expect(loads).toEqual([`${server.url}/app/profile`])
    } finally {
      await server.dispose()
      await build.dispose()
    }
  })
})
