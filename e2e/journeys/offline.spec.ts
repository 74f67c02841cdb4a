import { type BrowserContext, expect, type Page } from '@playwright/test'
import { becomeUser, comeBack, deebSwitch, MARA, makeAccount, signIn, test, today } from '../test.ts'

// Monday 15 June 2026, 09:00 in Berlin.
const STARTS_AT = '2026-06-15T07:00:00Z'
test.use({ startsAt: STARTS_AT, timezoneId: 'Europe/Berlin' })

const note = (page: Page) => page.getByText(/changes? waiting to sync/)

/**
 * All focus sessions of the user on the server, the earliest first, in minutes of Berlin time: `09:00-09:30`. Uses the app's
 * token, so it is null offline and until the app has refreshed an expired token.
 */
async function saved(page: Page): Promise<string[] | null> {
  const sessions = await page.evaluate(async () => {
    const token = JSON.parse(localStorage.getItem('deeb.auth.token') ?? '{}').access_token
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch('/api/sessions', { headers }).catch(() => null)
    if (!response?.ok) return null
    const { sessions, openSession } = await response.json()
    return [...(openSession ? [openSession] : []), ...sessions] as { startedAt: string; endedAt: string | null }[]
  })
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' })
  const time = (text: string | null) => (text ? format.format(new Date(text)) : '')
  return sessions?.map(({ startedAt, endedAt }) => `${time(startedAt)}-${time(endedAt)}`).reverse() ?? null
}

/**
 * Waits until the server has exactly these sessions and the screen shows no pending change. The auth client waits a minute
 * after a failed refresh.
 */
async function expectSaved(page: Page, sessions: string[]): Promise<void> {
  await expect.poll(() => saved(page), { timeout: 80_000 }).toEqual(sessions)
  await expect(note(page)).toHaveCount(0)
}

/** Presses the switch and waits until the screen shows it: the change is then stored on the disk. */
async function press(page: Page, to: 'on' | 'off'): Promise<void> {
  await deebSwitch(page).click()
  await expect(deebSwitch(page)).toBeChecked({ checked: to === 'on' })
}

/** Closes the app and opens it again later. */
async function reopen(page: Page, context: BrowserContext, url: string): Promise<Page> {
  await page.close()
  const next = await context.newPage()
  await next.goto(`${url}/app/home`)
  return next
}

test('offline switches are shown immediately (optimistic update) and replayed when the network returns', async ({
  page,
  context,
  server,
  pass,
}) => {
  await becomeUser(page, server, MARA)
  await context.setOffline(true)
  await press(page, 'on')
  await expect(note(page)).toHaveText('1 change waiting to sync')
  await pass(30)
  await expect(page.getByRole('timer')).toHaveText(/^0:30:\d\d$/)
  await press(page, 'off')
  await expect(note(page)).toHaveText('2 changes waiting to sync')
  await expect(today(page)).toHaveAccessibleName(/^0 hours 30 minutes/)
  await pass(15)
  await press(page, 'on')
  await pass(10)
  await context.setOffline(false)
  await expectSaved(page, ['09:00-09:30', '09:45-'])
  await expect(deebSwitch(page)).toBeChecked()
  await expect(page.getByRole('timer')).toHaveText(/^0:10:\d\d$/)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('switches survive closing the app offline and opening it online', { tag: '@heavy' }, async ({
  page,
  context,
  server,
  pass,
}) => {
  await becomeUser(page, server, MARA)
  await context.setOffline(true)
  await press(page, 'on')
  await pass(30)
  await press(page, 'off')
  await pass(30)
  await press(page, 'on')
  // A closing page may still send a token refresh whose response is lost, despite the offline mode.
  await server.stop()
  await page.close()
  await server.start()
  await server.travel(60)
  await context.clock.fastForward(60 * 60_000)
  await context.setOffline(false)
  const next = await context.newPage()
  await next.goto(`${server.url}/app/home`)
  await expectSaved(next, ['09:00-09:30', '10:00-'])
  await expect(deebSwitch(next)).toBeChecked()
})

for (const reaches of ['reaches the server', 'is lost'] as const) {
  test(`replay is idempotent when the app closes during a request that ${reaches}`, async ({
    page,
    context,
    server,
    pass,
  }) => {
    await becomeUser(page, server, MARA)
    let asked = 0
    await page.route('**/api/focus/start', async (route) => {
      asked++
      // The page never receives the response.
      if (reaches === 'reaches the server') await route.fetch().catch(() => undefined)
    })
    await press(page, 'on')
    await expect.poll(() => asked).toBe(1)
    if (reaches === 'reaches the server') await expect.poll(() => saved(page)).toEqual(['09:00-'])
    await pass(30)
    const next = await reopen(page, context, server.url)
    await expect(deebSwitch(next)).toBeChecked()
    await expectSaved(next, ['09:00-'])
    await press(next, 'off')
    await expectSaved(next, ['09:00-09:30'])
  })
}

test.describe('when the server is killed', () => {
  test.use({ setting: { isAlone: true } })

  test('switches are retried with backoff while the server fails and after its restart', { tag: '@heavy' }, async ({
    page,
    server,
    pass,
  }) => {
    await becomeUser(page, server, MARA)
    let refusals = 0
    await page.route('**/api/focus/**', (route) => {
      refusals++
      return route.fulfill({ status: 503, contentType: 'application/json', body: '{}' })
    })
    await press(page, 'on')
    await expect.poll(() => refusals).toBeGreaterThan(0)
    await pass(20)
    await press(page, 'off')
    await expect(note(page)).toHaveText('2 changes waiting to sync')
    // The queue retries by itself, with exponential backoff.
    const before = refusals
    await pass(0.5)
    await expect.poll(() => refusals).toBeGreaterThan(before)
    await server.end('SIGKILL')
    await page.unroute('**/api/focus/**')
    await server.start()
    await expectSaved(page, ['09:00-09:20'])
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
})

test('an expired token is refreshed before the replay', { tag: '@heavy' }, async ({ page, context, server, pass }) => {
  await becomeUser(page, server, MARA)
  await context.setOffline(true)
  await press(page, 'on')
  await pass(3 * 60)
  await press(page, 'off')
  await context.setOffline(false)
  await expectSaved(page, ['09:00-12:00'])
})

test('pending changes wait for their user to sign in again, and no other user sends them', { tag: '@heavy' }, async ({
  page,
  context,
  server,
  pass,
}) => {
  const ada = { ...MARA, email: 'ada.novak@fjordlab.example', username: 'ada' }
  await becomeUser(page, server, ada)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await becomeUser(page, server, MARA)

  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('deeb.auth.token') ?? '{}').access_token)
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  await context.setOffline(true)
  await press(page, 'on')
  await pass(20)
  await press(page, 'off')
  const headers = { authorization: `Bearer ${token}`, cookie, origin: server.url }
  const ended = await fetch(`${server.url}/auth/v1/logout?scope=global`, { method: 'POST', headers })
  expect(ended.status).toBe(204)
  await context.setOffline(false)
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()

  await signIn(page, ada)
  await expect(page.getByRole('heading', { name: 'Hi ada' })).toBeVisible()
  await press(page, 'on')
  await expectSaved(page, ['09:20-'])
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await signIn(page, MARA)
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await expectSaved(page, ['09:00-09:20'])
})

test('a device clock that is 10 minutes ahead or behind loses no time', { tag: '@heavy' }, async ({
  page,
  context,
  server,
  pass,
}) => {
  await becomeUser(page, server, MARA)
  const saved: string[] = []
  for (const [ahead, passedMinutes, session] of [
    [10, 0, '09:00-09:30'],
    [-10, 50, '09:50-10:20'],
  ] as const) {
    await page.clock.setSystemTime(Date.parse(STARTS_AT) + (passedMinutes + ahead) * 60_000)
    await context.setOffline(true)
    await press(page, 'on')
    await pass(30)
    await press(page, 'off')
    await pass(20)
    await context.setOffline(false)
    saved.push(session)
    await expectSaved(page, saved)
  }
})

test('two offline devices replay into one history', { tag: '@heavy' }, async ({ page, context, newDevice, server }) => {
  await becomeUser(page, server, MARA)
  const phone = await newDevice()
  await phone.clock.install({ time: STARTS_AT })
  await phone.goto(`${server.url}/app`)
  await signIn(phone, MARA)
  await expect(deebSwitch(phone)).toBeEnabled()
  // Within the lifetime of their tokens, so that none is refreshed while clocks jump.
  const pass = (minutes: number) =>
    server.travel(minutes, async () => {
      await page.clock.fastForward(minutes * 60_000)
      await phone.clock.fastForward(minutes * 60_000)
    })

  //  laptop   09:00 |======| 09:10       09:20 |======| 09:30
  //  phone        09:05 |=====================| 09:25
  await context.setOffline(true)
  await phone.context().setOffline(true)
  await press(page, 'on')
  await pass(5)
  await press(phone, 'on')
  await pass(5)
  await press(page, 'off')
  await pass(10)
  await press(page, 'on')
  await pass(5)
  await press(phone, 'off')
  await pass(5)
  await press(page, 'off')
  await pass(10)

  await phone.context().setOffline(false)
  await expectSaved(phone, ['09:05-09:25'])
  await context.setOffline(false)
  await expectSaved(page, ['09:00-09:05', '09:05-09:25', '09:25-09:30'])
  for (const device of [page, phone]) {
    await comeBack(device)
    await expect(deebSwitch(device)).not.toBeChecked()
    await expect(today(device)).toHaveAccessibleName(/^0 hours 30 minutes/)
  }
})

test('two tabs show the same pending changes, and one of them sends', { tag: '@heavy' }, async ({
  page,
  context,
  server,
  pass,
}) => {
  await becomeUser(page, server, MARA)
  const other = await context.newPage()
  await other.goto(`${server.url}/app/home`)
  await expect(deebSwitch(other)).toBeEnabled()
  const sent: string[] = []
  await context.setOffline(true)
  await press(page, 'on')
  await expect(deebSwitch(other)).toBeChecked()
  await pass(30)
  await press(other, 'off')
  await expect(deebSwitch(page)).not.toBeChecked()
  context.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/api/focus')) sent.push(pathname)
  })
  await context.setOffline(false)
  await expectSaved(page, ['09:00-09:30'])
  await expectSaved(other, ['09:00-09:30'])
  expect(sent).toEqual(['/api/focus/switches'])
})

test('signing out asks about pending changes', { tag: '@heavy' }, async ({ page, context, server, pass }) => {
  // Signing in on this page has loaded its screen: without a service worker, Firefox that is emulated offline reads no cached file.
  await makeAccount(page.request, server, MARA)
  await page.goto(`${server.url}/app`)
  await signIn(page, MARA)
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible()
  await page.getByRole('button', { name: 'deeb home' }).click()
  await context.setOffline(true)
  await press(page, 'on')
  await pass(10)
  await press(page, 'off')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  const question = page.getByRole('dialog', { name: '2 changes have not been sent.' })
  await expect(question.getByRole('button', { name: 'Keep on this device' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await question.getByRole('button', { name: 'Keep on this device' }).click()
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await context.setOffline(false)
  await signIn(page, MARA)
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await expectSaved(page, ['09:00-09:10'])

  await context.setOffline(true)
  await press(page, 'on')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await page
    .getByRole('dialog', { name: '1 change has not been sent.' })
    .getByRole('button', { name: 'Discard' })
    .click()
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await context.setOffline(false)
  await signIn(page, MARA)
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await expect(deebSwitch(page)).not.toBeChecked()
  await expectSaved(page, ['09:00-09:10'])
})

test('a browser without storage sends immediately and rolls back on failure', { tag: '@heavy' }, async ({
  page,
  context,
  server,
  pass,
}) => {
  await context.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', { value: { open: () => new EventTarget() } })
  })
  await becomeUser(page, server, MARA)
  await deebSwitch(page).click()
  // IndexedDB never answers here. The queue waits 2 seconds for it.
  await server.travel(2 / 60, () => page.clock.fastForward(2_000))
  await expectSaved(page, ['09:00-'])
  await pass(10)
  await context.setOffline(true)
  await deebSwitch(page).click()
  await expect(page.getByRole('alert').getByText('Failed to toggle deeb mode')).toBeVisible()
  await expect(deebSwitch(page)).toBeChecked()
  await context.setOffline(false)
  await expectSaved(page, ['09:00-'])
  await deebSwitch(page).click()
  await expectSaved(page, ['09:00-09:10'])
})

test('Home that is never loaded says so, and does not ask again and again', { tag: '@heavy' }, async ({
  page,
  server,
}) => {
  await becomeUser(page, server, MARA)
  let calls = 0
  await page.route(/\/api\//, (route) => {
    calls += 1
    return route.fulfill({ status: 503, contentType: 'text/html', body: 'unavailable' })
  })
  // In the new page: the one before keeps its answers when it is left.
  await page.addInitScript(() => localStorage.removeItem('deeb.kept-reads'))
  await page.goto(`${server.url}/app/home`)
  await expect(async () => {
    await page.clock.runFor(5_000)
    await expect(page.getByText('Your day could not be loaded')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  expect(calls).toBeLessThan(40)
  await page.unroute(/\/api\//)
  // It may have asked by itself.
  await page
    .getByRole('button', { name: 'Try again' })
    .click({ timeout: 5_000 })
    .catch(() => undefined)
  await expect(deebSwitch(page)).toBeEnabled()
})
