import { chromium, expect } from '@playwright/test'
import { browserLaunch } from '../browser.ts'
import { becomeUser, deebSwitch, MARA, persistedCache, signIn, switchDeeb, test, today } from '../test.ts'

test('concurrent starts on two devices make one session, which either device can stop', async ({
  page,
  newDevice,
  server,
}) => {
  await becomeUser(page, server, MARA)
  const other = await newDevice()
  // Neither receives the other's start in time.
  for (const device of [page, other]) await device.route('**/api/live', (route) => route.abort())
  await page.reload()
  await other.goto(`${server.url}/app`)
  await signIn(other, MARA)
  for (const device of [page, other]) await expect(deebSwitch(device)).toBeEnabled()

  await Promise.all([switchDeeb(page, 'on'), switchDeeb(other, 'on')])
  for (const device of [page, other]) {
    await expect(deebSwitch(device)).toBeChecked()
    await expect(device.getByRole('timer')).toBeVisible()
  }
  await server.travel(30)
  await switchDeeb(other, 'off')
  await expect(today(other)).toHaveAccessibleName(/^0 hours 30 minutes/)
  // Until the refetch it shows the persisted cache.
  await Promise.all([page.waitForResponse('**/api/home?*'), page.reload()])
  await expect(deebSwitch(page)).not.toBeChecked()
  await expect(today(page)).toHaveAccessibleName(/^0 hours 30 minutes/)
})

test('a permanently refused switch rolls back with an error, and two quick presses start and stop, in that order', {
  tag: '@heavy',
}, async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await test.step('a permanently refused switch rolls back with an error, and the next try works', async () => {
    const body = JSON.stringify({ code: 'ahead_of_time', message: 'This has not happened yet.', requestId: 'test' })
    await page.route('**/api/focus/start', (route) =>
      route.fulfill({ status: 409, contentType: 'application/json', body }),
    )
    await deebSwitch(page).click()
    await expect(page.getByRole('alert').getByText('Failed to toggle deeb mode')).toBeVisible()
    await expect(deebSwitch(page)).not.toBeChecked()
    await expect(page.locator('html')).not.toHaveAttribute('data-focus')
    await page.unroute('**/api/focus/start')
    await deebSwitch(page).click()
    await expect(deebSwitch(page)).toBeChecked()
    await page.reload()
    await expect(deebSwitch(page)).toBeChecked()
    await switchDeeb(page, 'off')
  })

  await test.step('pressing twice starts and stops, in that order', async () => {
    const calls: string[] = []
    // Not 'requestfinished': Chromium reports some of them as aborted after the response was read.
    page.on('response', (response) => calls.push(new URL(response.url()).pathname))
    await deebSwitch(page).dblclick()
    await expect(deebSwitch(page)).not.toBeChecked()
    // Both are one batch if the first has not been sent yet.
    await expect
      .poll(() => calls.filter((path) => path.startsWith('/api/focus/')).join(' '))
      .toMatch(/^(\/api\/focus\/start \/api\/focus\/stop|\/api\/focus\/switches)$/)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
    await expect(deebSwitch(page)).not.toBeChecked()
  })
})

test('a start with a lost response is retried and makes one session (idempotent)', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  let lost = 0
  await page.route('**/api/focus/start', async (route) => {
    await route.fetch()
    lost += 1
    if (lost === 1) await route.abort()
    else await route.continue()
  })
  await deebSwitch(page).click()
  await expect(page.getByRole('timer')).toBeVisible()
  await expect.poll(() => lost).toBe(2)
  await page.reload()
  await expect(deebSwitch(page)).toBeChecked()
  await server.travel(10)
  await deebSwitch(page).click()
  await expect(today(page)).toHaveAccessibleName(/^0 hours 10 minutes/)
})

for (const [late, path] of [
  ['its first live event', '/api/live'],
  ['its first response', '/api/home'],
] as const) {
  test(`a switch of another device is shown while ${late} is in flight`, { tag: '@heavy' }, async ({
    page,
    newDevice,
    server,
  }) => {
    await becomeUser(page, server, MARA)
    const phone = await newDevice()
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const isAsked = phone.waitForRequest(`**${path}*`)
    await phone.route(`**${path}*`, async (route) => {
      const response = path === '/api/home' ? await route.fetch() : undefined
      await released
      await (response ? route.fulfill({ response }) : route.continue())
    })
    await phone.goto(`${server.url}/app`)
    const isGreeted = phone.waitForResponse('**/api/live')
    await signIn(phone, MARA)
    await isAsked
    if (path === '/api/live') await expect(deebSwitch(phone)).toBeEnabled()
    else await isGreeted

    await switchDeeb(page, 'on')
    await server.travel(10)
    await switchDeeb(page, 'off')
    release()
    await expect(today(phone)).toHaveAccessibleName(/^0 hours 10 minutes/)
  })
}

test('the live stream reconnects after a refusal that could not be verified', { tag: '@heavy' }, async ({
  page,
  newDevice,
  server,
}) => {
  await becomeUser(page, server, MARA)
  const phone = await newDevice()
  await phone.goto(`${server.url}/app`)
  const follows = phone.waitForResponse('**/api/live')
  await signIn(phone, MARA)
  await expect(deebSwitch(phone)).toBeEnabled()
  await follows
  await phone.route('**/api/live', (route) => route.fulfill({ status: 401 }), { times: 1 })
  await phone.route('**/auth/v1/user', (route) => route.fulfill({ status: 503 }))
  const isAsked = phone.waitForResponse('**/auth/v1/user')
  await phone.reload()
  await isAsked
  await switchDeeb(page, 'on')
  await expect(deebSwitch(phone)).toBeChecked()
})

test('a device with a wrong clock shows the time of the server, also after the clock is corrected on the open page', {
  tag: '@heavy',
}, async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await page.clock.install({ time: Date.now() + 47 * 60_000 })
  await page.reload()
  await deebSwitch(page).click()
  await expect(page.getByRole('timer')).toHaveText(/^0:00:\d\d$/)
  await page.reload()
  await expect(page.getByRole('timer')).toHaveText(/^0:0[01]:\d\d$/)

  // Now it is as much behind.
  await page.clock.setSystemTime(Date.now() - 47 * 60_000)
  await Promise.all([page.waitForResponse('**/api/home?*'), page.reload()])
  await switchDeeb(page, 'off')
  await switchDeeb(page, 'on')
  // All responses have arrived before this.
  await expect(page.getByRole('timer')).toHaveText(/^0:00:(0[3-9]|[1-5]\d)$/)
  await page.clock.setSystemTime(Date.now())
  await expect(page.getByRole('timer')).toHaveText(/^0:0[01]:\d\d$/)
})

test.describe('at ten to midnight', () => {
  test.use({ startsAt: '2026-06-15T21:50:00Z', timezoneId: 'Europe/Berlin' })

  test('Home begins the new day at midnight and counts only its part', { tag: '@heavy' }, async ({
    page,
    server,
    pass,
  }) => {
    await becomeUser(page, server, MARA)
    await switchDeeb(page, 'on')
    await pass(20)
    await expect(page.getByRole('timer')).toHaveText(/^0:20:\d\d$/)
    await expect(today(page)).toHaveAccessibleName(/^0 hours (9|10) minutes/)
  })

  test('Home begins the new day offline too', { tag: '@heavy' }, async ({ page, context, server, pass }) => {
    await becomeUser(page, server, MARA)
    await expect.poll(() => persistedCache(page)).toContain('"today"')
    await context.setOffline(true)
    await deebSwitch(page).click()
    await pass(40)
    await expect(page.getByRole('timer')).toHaveText(/^0:40:\d\d$/)
    await expect(today(page)).toHaveAccessibleName(/^0 hours (29|30) minutes/)
    await deebSwitch(page).click()
    await expect(today(page)).toHaveAccessibleName(/^0 hours (29|30) minutes/)
  })
})

test('a browser that cannot tell its time zone shows the day, switches, and keeps what it did offline', {
  tag: '@heavy',
}, async ({ server }) => {
  const launch = await browserLaunch()
  const browser = await chromium.launch({ ...launch, env: { ...launch.env, TZ: 'Foo/Bar' } })
  try {
    // Not the time zone of the other journeys.
    const page = await browser.newPage({ timezoneId: '' })
    const call = await becomeUser(page, server, MARA)
    await page.goto(`${server.url}/app/home`)
    expect(await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)).toBe('Etc/Unknown')
    await deebSwitch(page).click()
    await expect.poll(async () => (await call('GET', '/api/home?timeZone=UTC')).openSession).not.toBeNull()
    await page.context().setOffline(true)
    await deebSwitch(page).click()
    await expect(deebSwitch(page)).not.toBeChecked()
    await page.context().setOffline(false)
    await expect.poll(async () => (await call('GET', '/api/home?timeZone=UTC')).openSession).toBeNull()
    for (const path of ['profile', 'sessions']) {
      await page.goto(`${server.url}/app/${path}`)
      await expect(page.getByText(/could not be loaded/)).toHaveCount(0)
    }
    await expect(page.getByText('1 session under a minute')).toBeVisible()
  } finally {
    await browser.close()
  }
})
