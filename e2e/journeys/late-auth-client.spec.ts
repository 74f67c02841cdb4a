import { expect, type Page } from '@playwright/test'
import {
  becomeUser,
  comeBack,
  deebSwitch,
  hold,
  MARA,
  makeAccount,
  persistedCache,
  signIn,
  switchDeeb,
  test,
} from '../test.ts'

/*
 * The auth client is loaded after the first paint. Here it comes late, or never: what the page does with the stored session alone.
 */
const AUTH_CLIENT = /\/assets\/en\/auth-client-.*\.js$/
const KEY = 'deeb.auth.token'
const SAM = { email: 'sam.oduya@fjordlab.example', password: 'quiet-heron-42', username: 'sam' }

const signInScreen = (page: Page) => page.getByRole('heading', { name: 'Sign In' })
const hello = (page: Page, name: string) => page.getByRole('heading', { name: `Hi ${name}` })

/** The calls of the server that a page makes from now on: each path, and the token that was sent. */
function recordCalls(page: Page): { path: string; token: string | undefined }[] {
  const calls: { path: string; token: string | undefined }[] = []
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (/^\/(api|auth)\//.test(path)) calls.push({ path, token: request.headers().authorization })
  })
  return calls
}

test('a token with a minute left is refreshed once, and nothing is sent with it', { tag: '@heavy' }, async ({
  page,
  server,
}) => {
  await becomeUser(page, server, MARA)
  await page.goto(`${server.url}/robots.txt`)
  const token = await page.evaluate((key) => {
    const tokens = JSON.parse(localStorage.getItem(key) ?? '')
    localStorage.setItem(key, JSON.stringify({ ...tokens, expires_at: Math.floor(Date.now() / 1000) + 60 }))
    return tokens.access_token
  }, KEY)
  const calls = recordCalls(page)
  const answer = page.waitForResponse('**/api/home?*')
  await page.goto(`${server.url}/app/home`)
  expect((await answer).status()).toBe(200)
  await expect(hello(page, 'mara')).toBeVisible()
  expect(calls[0]?.path).toBe('/auth/v1/token')
  expect(calls.filter(({ path }) => path === '/auth/v1/token')).toHaveLength(1)
  expect(calls.filter((call) => call.token === `Bearer ${token}`)).toEqual([])
})

/** Puts a session in the place of the stored one, as a sign-in does. */
const storeSession = (page: Page, session: { expires_in: number }) =>
  page.evaluate(
    ([key, tokens]) => {
      const expiresAt = Math.floor(Date.now() / 1000) + tokens.expires_in
      localStorage.setItem(key, JSON.stringify({ ...tokens, expires_at: expiresAt }))
    },
    [KEY, session] as const,
  )

test.describe('before the auth client is there', () => {
  // The worker would answer with the file that it keeps.
  test.use({ serviceWorkers: 'block' })

  test('a sign-out in another tab leaves Home, and the early answer is not shown again', { tag: '@heavy' }, async ({
    page,
    context,
    server,
  }) => {
    await becomeUser(page, server, MARA)
    const other = await context.newPage()
    const { release } = await hold(other, AUTH_CLIENT)
    await other.goto(`${server.url}/app/home`)
    await expect(hello(other, 'mara')).toBeVisible()
    await page.goto(`${server.url}/app/settings`)
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(signInScreen(page)).toBeVisible()
    await expect(signInScreen(other)).toBeVisible()
    release()
    await other.goBack().catch(() => undefined)
    await expect(hello(other, 'mara')).toHaveCount(0)
  })

  test('another person who signs in in another tab is shown their own Home, and nothing is sent as them before', {
    tag: '@heavy',
  }, async ({ page, context, server }) => {
    await becomeUser(page, server, MARA)
    const { session, call } = await makeAccount(page.request, server, SAM)
    const other = await context.newPage()
    const { release } = await hold(other, AUTH_CLIENT)
    await other.goto(`${server.url}/app/home`)
    await expect(hello(other, 'mara')).toBeVisible()
    await storeSession(page, session)
    await deebSwitch(other).click()
    release()
    await expect(hello(other, 'sam')).toBeVisible()
    await expect(deebSwitch(other)).not.toBeChecked()
    expect((await call('GET', '/api/home?timeZone=UTC')).openSession).toBeNull()
  })

  test('a storage that is cleared in another tab leaves Home', { tag: '@heavy' }, async ({ page, context, server }) => {
    await becomeUser(page, server, MARA)
    const other = await context.newPage()
    const { release } = await hold(other, AUTH_CLIENT)
    await other.goto(`${server.url}/app/home`)
    await expect(hello(other, 'mara')).toBeVisible()
    await page.evaluate(() => localStorage.clear())
    await expect(signInScreen(other)).toBeVisible()
    release()
  })

  test('a session that has ended on the server leads to Sign In and one toast', { tag: '@heavy' }, async ({
    page,
    server,
  }) => {
    await becomeUser(page, server, MARA)
    const token = await page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? '').access_token, KEY)
    const headers = { origin: server.url, authorization: `Bearer ${token}` }
    const ended = await page.request.post(`${server.url}/auth/v1/logout?scope=global`, { headers })
    expect(ended.status()).toBe(204)
    // A call of this page does not count.
    await page.goto(`${server.url}/robots.txt`)
    const early = page.waitForResponse('**/api/home?*')
    const sent: string[] = []
    page.on('request', (request) => sent.push(new URL(request.url()).pathname))
    await page.goto(`${server.url}/app/home`)
    expect((await early).status()).toBe(401)
    await expect(signInScreen(page)).toBeVisible()
    await expect(page.getByText('Your session has ended. Please sign in again.')).toHaveCount(1)
    expect(sent.filter((path) => path === '/api/home')).toHaveLength(1)
  })

  test('a visitor is asked nothing of the server but its ways to sign in, and a sign-in waits for the client', {
    tag: '@heavy',
  }, async ({ page, server }) => {
    await makeAccount(page.request, server, MARA)
    await page.context().clearCookies()
    const sent: string[] = []
    page.on('request', (request) => sent.push(new URL(request.url()).pathname))
    const { release } = await hold(page, AUTH_CLIENT)
    const calls = () => new Set(sent.filter((path) => /^\/(api|auth)\//.test(path)))
    const settings = page.waitForResponse('**/auth/v1/settings')
    await page.goto(`${server.url}/app`)
    await expect(signInScreen(page)).toBeVisible()
    await settings
    await signIn(page, MARA)
    await expect(page.getByRole('button', { name: 'Signing in...' })).toBeVisible()
    expect(calls()).toEqual(new Set(['/auth/v1/settings']))
    release()
    await expect(hello(page, 'mara')).toBeVisible()
  })

  test('a client that a release has removed leaves the ring and the switch working, and is asked for again', {
    tag: '@heavy',
  }, async ({ page, server }) => {
    const call = await becomeUser(page, server, MARA)
    let asked = 0
    await page.route(AUTH_CLIENT, (route) => {
      asked += 1
      return route.fulfill({ status: 404, body: '' })
    })
    await page.goto(`${server.url}/app/home`)
    await expect(hello(page, 'mara')).toBeVisible()
    await switchDeeb(page, 'on')
    await expect.poll(async () => (await call('GET', '/api/home?timeZone=UTC')).openSession).not.toBeNull()
    await expect.poll(() => asked).toBeGreaterThan(0)
    await page.unroute(AUTH_CLIENT)
    await page.waitForResponse((response) => AUTH_CLIENT.test(response.url()) && response.ok())
    await expect(deebSwitch(page)).toBeChecked()
  })
})

test('with the client there, a session of another person or a cleared storage by another tab is followed when the tab is shown again', {
  tag: '@heavy',
}, async ({ page, context, server }) => {
  await becomeUser(page, server, MARA)
  const { session, call } = await makeAccount(page.request, server, SAM)
  const other = await context.newPage()
  await other.goto(`${server.url}/robots.txt`)
  await storeSession(other, session)
  await deebSwitch(page).click()
  await comeBack(page)
  await expect(hello(page, 'sam')).toBeVisible()
  await expect(deebSwitch(page)).not.toBeChecked()
  expect((await call('GET', '/api/home?timeZone=UTC')).openSession).toBeNull()

  await expect.poll(() => persistedCache(page)).toContain('"today"')
  await other.evaluate(() => localStorage.clear())
  await comeBack(page)
  await expect(signInScreen(page)).toBeVisible()
  expect(await persistedCache(page)).not.toMatch(/mara|sam/)
})
