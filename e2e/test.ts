import { type Browser, type BrowserContext, test as base, expect, type Page, type Request } from '@playwright/test'
import { TestServer } from './server.ts'

interface Fixtures {
  /** Fails the test on an error in the console of that browser, a CSP violation for one. */
  watch: (context: BrowserContext) => BrowserContext
  /** A page in a browser that shares nothing with the others: of another device, or of somebody else. */
  newDevice: () => Promise<Page>
  /** A server of this test alone, on empty data. */
  server: TestServer
  /** `test.use({ startsAt })`: the instant at which the server of the test, and its browser, begin. */
  startsAt: string | undefined
  /**
   * Lets that many minutes pass, in the page and on the server; then somebody comes back to the tab. Needs `startsAt`, or
   * `page.clock.install()`.
   */
  pass: (minutes: number) => Promise<void>
}

export const test = base.extend<Fixtures>({
  startsAt: [undefined, { option: true }],
  server: async ({ startsAt }, use) => {
    const server = await TestServer.fresh(startsAt)
    await use(server)
    await server.dispose()
  },
  pass: async ({ page, server }, use) => {
    // One that is on its way would be given up as the clock jumps: a renewal is then past the time in which it may be
    // repeated, and the page signed out; an answer knows of an earlier time, and would be all that the page asks.
    const settle = noneUnderWay(page, /\/auth\/v1\/token|\/api\/(home|week|team|sessions)/)
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
  // Asks for the server too: set up before this, it still answers what pages ask until they are closed.
  watch: async ({ browser, server: _ }, use, info) => {
    const errors: string[] = []
    await use((context) => {
      context.on('console', (message) => {
        // Chromium reports each refused request, which is often the very thing that is tested.
        const isRefusal = /^Failed to load resource/.test(message.text())
        if (message.type() === 'error' && !isRefusal) errors.push(message.text())
      })
      context.on('weberror', (error) => errors.push(String(error.error())))
      return context
    })
    if (info.status !== info.expectedStatus) console.log(await whatPagesShow(browser))
    // The next test has the same browser. What a test still answers in the server's place is over with it.
    const contexts = browser.contexts()
    const routed = contexts.flatMap((context) => [context, ...context.pages()])
    await Promise.all(routed.map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })))
    await Promise.all(contexts.map((context) => context.close()))
    expect(errors, 'errors in a browser console').toEqual([])
  },
  context: async ({ context, watch }, use) => use(watch(context)),
  // Asks for the first browser too: set up before `watch`, it is still open when that tells what pages show.
  newDevice: async ({ browser, context: _, watch }, use) =>
    use(async () => watch(await browser.newContext()).newPage()),
})

/** From now on watches that page for such requests, and gives the way to wait until it has none. */
function noneUnderWay(page: Page, url: RegExp): () => Promise<void> {
  const underWay = new Set<Request>()
  page.on('request', (request) => url.test(request.url()) && underWay.add(request))
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  return () => expect.poll(() => underWay.size).toBe(0)
}

/** As somebody who comes back to a tab: what is shown is read again, and the live stream, which waits ever longer, wakes. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
}

/** For whoever reads of a failure on a machine that is not theirs. */
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
 * From nothing to Home, with goals skipped, by the calls that the screens make: most journeys begin after this. Those through
 * the screens are `confirmAddress` and the onboarding's own.
 */
export async function becomeUser(page: Page, server: TestServer, person: Person): Promise<void> {
  const { email, password, username } = person
  const call = async (method: 'POST' | 'PUT', path: string, data: object, accessToken?: string) => {
    // The session is bound to the cookie that pages of ours get.
    const headers = { origin: server.url, ...(accessToken && { authorization: `Bearer ${accessToken}` }) }
    const answer = await page.request.fetch(server.url + path, { method, headers, data })
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
  await call('PUT', '/api/profile/username', { username }, session.access_token)
  const goals = Array.from({ length: 7 }, (_, dayOfWeek) => ({ dayOfWeek, goalMinutes: 60 }))
  await call('PUT', '/api/goals', { goals }, session.access_token)

  await page.goto(`${server.url}/robots.txt`)
  await page.evaluate((tokens) => {
    const expiresAt = Math.floor(Date.now() / 1000) + tokens.expires_in
    localStorage.setItem('deeb.auth.token', JSON.stringify({ ...tokens, expires_at: expiresAt }))
  }, session)
  await page.goto(`${server.url}/app/home`)
  await expect(deebSwitch(page)).toBeEnabled()
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
  await page.goto(await newestLink(server, person))
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('dialog', { name: 'Welcome to deeb!' })).toBeVisible()
}

/** Mail goes out after the answer, so it may not be there yet. */
export async function newestLink(server: Pick<TestServer, 'linksFor'>, { email }: Person): Promise<string> {
  await expect.poll(() => server.linksFor(email)).not.toEqual([])
  return (await server.linksFor(email)).at(-1) ?? ''
}

/** Holds the calls of a path back until `release`. */
export async function hold(page: Page, path: string): Promise<{ release: () => void }> {
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

export const deebSwitch = (page: Page) => page.getByRole('switch', { name: 'deeb' })

/** The ring, whose name says the day in words. */
export const today = (page: Page) => page.getByRole('img', { name: /today/ })

/** Presses the switch and waits until the server knows: what passes then does not pass for it too. */
export async function switchDeeb(page: Page, to: 'on' | 'off'): Promise<void> {
  const path = `/api/focus/${to === 'on' ? 'start' : 'stop'}`
  // A token that ran out on the way is renewed, and the call made again: that one is meant.
  const known = page.waitForResponse((response) => response.url().endsWith(path) && response.ok())
  await deebSwitch(page).click()
  await known
  await expect(deebSwitch(page)).toBeChecked({ checked: to === 'on' })
}
