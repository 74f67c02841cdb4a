import { expect, type Page } from '@playwright/test'
import { becomeUser, expectClean, MARA, test } from '../test.ts'

test.use({ timezoneId: 'Europe/Berlin', locale: 'en-GB' })

const says = (page: Page) => page.getByRole('status')
const root = (page: Page) => page.locator('html')

/** The next hour of a display that slept: its timers run late, and its stream is dead. */
async function sleepAnHour(display: Page): Promise<void> {
  await display.clock.fastForward(3_600_000)
  await display.evaluate(() => window.dispatchEvent(new Event('online')))
}

test('a sign follows the switch, and shows no old state', { tag: '@heavy' }, async ({ page, newDevice, server }) => {
  const call = await becomeUser(page, server, MARA)
  await page.goto(`${server.url}/app/settings/sign`)
  await page.getByRole('button', { name: 'Make a sign' }).click()
  await page.getByLabel('Where it hangs').fill('Office')
  await page.getByRole('button', { name: 'Make sign' }).click()
  const link = await page.getByText(/\/sign#[\w-]{22}$/).textContent()
  await expectClean(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('State only, not opened yet')).toBeVisible()

  const display = await newDevice()
  await display.clock.install()
  await display.goto(link ?? '')
  await expect(says(display)).toHaveText('free')
  const { session } = await call('POST', '/api/focus/start', {
    sessionId: '01980000-0000-7000-8000-000000000001',
    timeZone: 'Europe/Berlin',
  })
  await expect(says(display)).toHaveText('in deeb mode', { timeout: 5_000 })
  await expect(root(display)).toHaveAttribute('data-state', 'deep')
  await expectClean(display)

  // A day with a sleep each hour leaves nothing behind.
  const client = await display.context().newCDPSession(display)
  await client.send('Performance.enable')
  const kept = async () => {
    await client.send('HeapProfiler.collectGarbage')
    const { metrics } = await client.send('Performance.getMetrics')
    const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
    return { listeners: of('JSEventListeners'), nodes: of('Nodes'), heapMb: of('JSHeapUsedSize') / 1024 / 1024 }
  }
  const before = await kept()
  for (let hour = 0; hour < 24; hour++) {
    await sleepAnHour(display)
    await expect(root(display)).toHaveAttribute('data-state', 'deep')
  }
  const after = await kept()
  expect(after.listeners).toBeLessThanOrEqual(before.listeners + 2)
  expect(after.nodes).toBeLessThanOrEqual(before.nodes + 20)
  expect(after.heapMb).toBeLessThan(before.heapMb + 2)

  await server.stop()
  await display.clock.fastForward(60_000)
  await expect(says(display)).toHaveText('no connection')
  await expect(display.getByText(/^since \d\d:\d\d$/)).toBeVisible()
  await expect(root(display)).toHaveAttribute('data-state', 'unknown')
  await server.start()
  await display.clock.fastForward(30_000)
  await expect(says(display)).toHaveText('in deeb mode')

  await page.reload()
  await page.getByRole('button', { name: 'Revoke Office' }).click()
  await page.getByRole('button', { name: 'Revoke sign' }).click()
  await expect(says(display)).toHaveText('this link no longer works')
  expect(session.id).toBeTruthy()
})

test('without script a sign shows the state of now, and says when it was true', { tag: '@heavy' }, async ({
  browser,
  page,
  server,
}) => {
  const call = await becomeUser(page, server, MARA)
  const { token } = await call('POST', '/api/signs', { label: 'Office' })
  const display = await browser.newPage({ javaScriptEnabled: false })
  await display.goto(`${server.url}/sign#${token}`)
  await expect(says(display)).toHaveText('no state yet')
  await display.getByLabel('Link of the sign').fill(`${server.url}/sign#${token}`)
  await display.getByRole('button', { name: 'Show the state now' }).click()
  await expect(says(display)).toHaveText('free')
  await expect(display.getByText(/^at \d\d:\d\d UTC$/)).toBeVisible()
  expect(display.url()).toBe(`${server.url}/sign`)
  await display.close()
})
