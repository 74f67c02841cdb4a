import { AxeBuilder } from '@axe-core/playwright'
import { APP_PATHS } from '@deeb/core/paths'
import { SETTINGS_PARTS, settingsPath } from '@deeb/core/settings-parts'
import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
  type Request,
  type Response,
} from '@playwright/test'
import jsQR from 'jsqr'
import { PNG } from 'pngjs'
import { type Setting, TestServer } from './server.ts'

interface Fixtures {
  /** Fails the test on an error in the browser console, such as a CSP violation. */
  watch: (context: BrowserContext) => BrowserContext
  /** A page in its own browser context: another device, or another user. */
  newDevice: () => Promise<Page>
  /** The test's own server, on empty data. */
  server: TestServer
  /** `test.use({ setting })`: how it runs. */
  setting: Setting
  /** `test.use({ startsAt })`: the initial time of the test's server and browser. */
  startsAt: string | undefined
  /**
   * Moves the clocks of the page and the server by that many minutes, then shows the tab again. Needs `startsAt`, or
   * `page.clock.install()`.
   */
  pass: (minutes: number) => Promise<void>
}

export const test = base.extend<Fixtures>({
  startsAt: [undefined, { option: true }],
  setting: [{}, { option: true }],
  server: async ({ startsAt, setting }, use) => {
    const server = await TestServer.fresh(startsAt, setting)
    await use(server)
    await server.dispose()
  },
  pass: async ({ page, server }, use) => {
    // Wait for requests in flight. After the jump, a token refresh would be outside the reuse window and sign the page out, and a
    // late answer would have stale data.
    const settle = trackRequests(page, /\/auth\/v1\/token|\/api\/(home|week|team|sessions)/)
    await use(async (minutes) => {
      await settle()
      await server.travel(minutes, () => page.clock.fastForward(minutes * 60_000))
      await settle()
      await comeBack(page)
    })
  },
  page: async ({ page, startsAt }, use) => {
    if (startsAt) await page.clock.install({ time: startsAt })
    await use(page)
  },
  // Depends on `server`, so that the server still answers until the pages are closed.
  watch: async ({ browser, server: _ }, use, info) => {
    const errors: string[] = []
    await use((context) => {
      const note = (text: string) => EXPECTED_ERROR.test(text) || errors.push(text)
      context.on('console', (message) => message.type() === 'error' && note(message.text()))
      context.on('weberror', (error) => note(String(error.error())))
      return context
    })
    if (info.status !== info.expectedStatus) console.log(await whatPagesShow(browser))
    // The next test uses the same browser, so routes and contexts of this test are removed.
    const contexts = browser.contexts()
    const routed = contexts.flatMap((context) => [context, ...context.pages()])
    await Promise.all(routed.map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })))
    await Promise.all(contexts.map((context) => context.close()))
    expect(errors, 'errors in a browser console').toEqual([])
  },
  context: async ({ context, watch }, use) => use(watch(context)),
  // Depends on `context`, so that its page is still open when `watch` prints what the pages show.
  newDevice: async ({ browser, context: _, watch }, use) =>
    use(async () => watch(await browser.newContext()).newPage()),
})

/**
 * Not an error of the page: what Chromium and Firefox report of each failed request, which many tests expect, and the style with
 * which Playwright takes screenshots, which the content security policy refuses in Firefox.
 */
const EXPECTED_ERROR =
  /^(Failed to load (resource|‘)|Loading module from|Failed to read data from the ReadableStream|downloadable font: download failed)|sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT\+SmwNZWA=/

/** Tracks the page's requests to `url`. Returns a function that waits until none is in flight. */
export function trackRequests(page: Page, url: RegExp): () => Promise<void> {
  const inFlight = new Set<Request>()
  page.on('request', (request) => url.test(request.url()) && inFlight.add(request))
  page.on('requestfinished', (request) => inFlight.delete(request))
  page.on('requestfailed', (request) => inFlight.delete(request))
  return () => expect.poll(() => inFlight.size).toBe(0)
}

/** Simulates a return to the tab: shown queries are refetched, and the live stream reconnects without waiting for its backoff. */
export async function comeBack(page: Page): Promise<void> {
  const shown = page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  // A page that reloads at this moment, such as for a new language, reads everything anyway.
  await shown.catch((error: Error) => {
    if (!error.message.includes('because of a navigation')) throw error
  })
}

/** The accessibility tree of every open page, for the log of a failed test. */
async function whatPagesShow(browser: Browser): Promise<string> {
  const pages = browser.contexts().flatMap((context) => context.pages())
  const snapshots = pages.map(async (page) => {
    const tree = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String)
    return `${page.url()} shows\n${tree}`
  })
  return (await Promise.all(snapshots)).join('\n')
}

export interface Person {
  email: string
  password: string
  username: string
}

export const MARA: Person = { email: 'mara.lind@fjordlab.example', password: 'quiet-otter-41', username: 'mara' }

export async function fillSignUp(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Create Account' }).click()
}

export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

/**
 * Creates an account with a username and default goals through the API, and opens Home. Most journeys begin here.
 * `confirmAddress` and the onboarding journeys use the screens instead.
 */
export async function becomeUser(page: Page, server: TestServer, person: Person): Promise<Calls> {
  const language = await page.evaluate(() => navigator.language)
  const { session, call } = await makeAccount(page.request, server, person, language)
  await page.goto(`${server.url}/robots.txt`)
  await page.evaluate((tokens) => {
    const expiresAt = Math.floor(Date.now() / 1000) + tokens.expires_in
    localStorage.setItem('deeb.auth.token', JSON.stringify({ ...tokens, expires_at: expiresAt }))
  }, session)
  // What the app loads after the first paint: a journey may cut the network next.
  const loaded = page.waitForResponse(/auth-client/)
  await page.goto(`${server.url}/app/home`)
  await expect(deebSwitch(page)).toBeEnabled()
  await loaded
  return call
}

/** Calls the server as one user. Fails the test on a refusal. */
// biome-ignore lint/suspicious/noExplicitAny: the answer of any call.
export type Calls = (method: 'GET' | 'POST' | 'PUT', path: string, data?: object) => Promise<any>

/** Creates an account with a username and default goals through the API, without a page. Screens follow its language. */
export async function makeAccount(request: APIRequestContext, server: TestServer, person: Person, language = 'en') {
  const { email, password, username } = person
  let accessToken: string | undefined
  const call: Calls = async (method, path, data) => {
    // With our origin, the auth session is bound to the cookie.
    const headers = {
      origin: server.url,
      'accept-language': language,
      ...(accessToken && { authorization: `Bearer ${accessToken}` }),
    }
    const answer = await request.fetch(server.url + path, { method, headers, ...(data && { data }) })
    expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true)
    return await answer.json()
  }
  await call('POST', '/auth/v1/signup', { email, password })
  const link = new URLSearchParams(new URL(await newestLink(server, person)).hash.slice(1))
  const session = await call('POST', '/auth/v1/verify', {
    type: 'email',
    token_hash: link.get('token_hash'),
    password,
  })
  accessToken = session.access_token
  await call('PUT', '/api/profile/username', { username })
  const goals = Array.from({ length: 7 }, (_, dayOfWeek) => ({ dayOfWeek, goalMinutes: 60 }))
  await call('PUT', '/api/goals', { goals })
  return { session, call }
}

/** From nothing to the first of the onboarding dialogs. */
export async function confirmAddress(
  page: Page,
  server: Pick<TestServer, 'url' | 'linksFor'>,
  person: Person,
): Promise<void> {
  await page.goto(`${server.url}/app/signup`)
  await fillSignUp(page, person)
  await expect(page.getByText('Account Created!')).toBeVisible()
  // The page leads to Sign In. In Firefox that would cancel a navigation.
  await expect(page).toHaveURL(`${server.url}/app`)
  await page.goto(await newestLink(server, person))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('dialog', { name: 'Welcome to deeb!' })).toBeVisible()
}

/** The newest link in the emails to a person. Waits for it: email is sent after the response. */
export async function newestLink(server: Pick<TestServer, 'linksFor'>, { email }: Person): Promise<string> {
  await expect.poll(() => server.linksFor(email)).not.toEqual([])
  return (await server.linksFor(email)).at(-1) ?? ''
}

/** Every path of the app. Those of visitors lead signed-in users to Home. */
const EVERY_PATH: readonly string[] = [...Object.values(APP_PATHS), ...SETTINGS_PARTS.map(settingsPath)]

/** Opens paths of the app, all by default. Calls `check` with each answer once the screen has its heading. */
export async function openEveryPath(
  page: Page,
  { url }: Pick<TestServer, 'url'>,
  check: (answer: Response | null) => Promise<void>,
  paths = EVERY_PATH,
): Promise<void> {
  for (const path of paths) {
    const answer = await page.goto(url + path, { waitUntil: 'commit' })
    await expect(page.locator('h1').first(), path).toBeAttached()
    await check(answer)
  }
}

/** Delays the requests to a path until `release`. */
export async function hold(page: Page, path: string | RegExp): Promise<{ release: () => void }> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(path, async (route) => {
    await held
    await route.continue().catch(() => undefined)
  })
  return { release }
}

/** The values in the page's local storage, except the tokens: the persisted query cache. */
export const persistedCache = (page: Page): Promise<string> =>
  page.evaluate(() =>
    Object.entries(localStorage)
      .filter(([key]) => key !== 'deeb.auth.token')
      .map(([, value]) => value)
      .join(),
  )

/** Like `toBeFocused`, in a journey with several pages: in Firefox only one of them has the focus of the window. */
export const expectFocused = (control: Locator): Promise<void> =>
  expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true)

export const deebSwitch = (page: Page) => page.getByRole('switch', { name: 'deeb' })

/** The ring. Its accessible name has the figures of the day. */
export const today = (page: Page) => page.getByRole('img', { name: /today/ })

/** Presses the switch and waits for the server's response, so that a later jump of the clock does not move the press. */
export async function switchDeeb(page: Page, to: 'on' | 'off'): Promise<void> {
  const path = `/api/focus/${to === 'on' ? 'start' : 'stop'}`
  // If the token has expired, the call is retried with a new one. This waits for the successful call.
  const known = page.waitForResponse((response) => response.url().endsWith(path) && response.ok())
  await deebSwitch(page).click()
  await known
  await expect(deebSwitch(page)).toBeChecked({ checked: to === 'on' })
}

/** The text of the QR code on the page, read from a picture of it. */
export async function readQrCode(page: Page): Promise<string> {
  const picture = PNG.sync.read(await page.getByRole('img', { name: /QR code/ }).screenshot())
  const code = jsQR.default(new Uint8ClampedArray(picture.data), picture.width, picture.height)
  if (!code) throw new Error('The QR code cannot be read.')
  return code.data
}

/** Fails on what axe finds on the page. */
export async function expectClean(page: Page): Promise<void> {
  // Colours fade for 400 ms. Check after the animations.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)))
  // In its legacy mode, axe opens no page of its own to join the results of frames: deeb has no frames.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  expect(
    violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]),
    page.url(),
  ).toEqual([])
}

/** The page must not scroll horizontally. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }))
  expect(content).toBeLessThanOrEqual(window)
}
