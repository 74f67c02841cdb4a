import { expect, type Page } from '@playwright/test'
import { becomeUser, deebSwitch, MARA, switchDeeb, test } from '../test.ts'

const ring = (page: Page) => page.locator('[data-moment]')

test.describe('the first session', () => {
  // Far from midnight, at whatever hour the journey runs.
  test.use({ startsAt: '2026-06-08T06:00:00Z', timezoneId: 'Europe/Berlin' })

  test('begins with a hint, shows a clock, and ends with its length and the part of the day', async ({
    page,
    server,
    pass,
  }) => {
    await becomeUser(page, server, MARA)
    await expect(page.getByText('Press to start')).toBeVisible()
    await switchDeeb(page, 'on')
    await expect(page.getByText('deeb mode on')).toBeVisible()
    await expect(page.getByText('get deeb')).toBeVisible()
    await expect(page.getByText(/^In deeb mode 0:00:\d\d$/)).toBeVisible()
    await pass(48)
    await switchDeeb(page, 'off')
    await expect(page.getByText('48m. 80% of today.')).toBeVisible()
    await expect(ring(page)).toHaveAttribute('data-moment', 'end')
    await expect(page.getByText('deeb mode off')).toBeVisible()

    // The goal of 60 minutes is reached in the next session.
    await switchDeeb(page, 'on')
    await expect(ring(page)).toHaveCount(0)
    await pass(20)
    await expect(page.getByText('over performer')).toBeVisible()
    await expect(ring(page)).toHaveAttribute('data-moment', 'goal')
    await page.reload()
    await expect(page.getByText('over performer')).toBeVisible()
    await expect(ring(page)).toHaveCount(0)
  })
})

test('a page in deeb mode is black from the first paint on, and light after the end on another device', {
  tag: '@heavy',
}, async ({ page, newDevice, server }) => {
  await page.addInitScript(() => {
    const looks: unknown[] = []
    Object.assign(window, { looks })
    const note = () => looks.push(document.documentElement.dataset.focus)
    document.addEventListener('readystatechange', note)
    new MutationObserver(note).observe(document, { attributeFilter: ['data-focus'], subtree: true })
  })
  const looks = () => page.evaluate(() => [...new Set((window as unknown as { looks: unknown[] }).looks)])
  await becomeUser(page, server, MARA)
  expect(await looks()).toEqual([undefined])
  await switchDeeb(page, 'on')
  await page.reload()
  await expect(deebSwitch(page)).toBeChecked()
  expect(await looks()).toEqual(['on'])

  const tokens = await page.evaluate(() => localStorage.getItem('deeb.auth.token') ?? '')
  await page.goto(`${server.url}/robots.txt`)
  const phone = await newDevice()
  await phone.goto(`${server.url}/robots.txt`)
  await phone.evaluate((text) => localStorage.setItem('deeb.auth.token', text), tokens)
  await phone.context().addCookies(await page.context().cookies())
  await phone.goto(`${server.url}/app/home`)
  await switchDeeb(phone, 'off')
  await page.goto(`${server.url}/app/home`)
  await expect(deebSwitch(page)).not.toBeChecked()
  await expect(page.locator('html')).not.toHaveAttribute('data-focus')
})

test('nothing in the header moves between screens on a desktop', { tag: '@heavy' }, async ({ page, server }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await becomeUser(page, server, MARA)
  const header = async () => {
    const parts = [page.getByRole('button', { name: 'deeb home' }), deebSwitch(page)]
    return Promise.all(parts.map((part) => part.boundingBox()))
  }
  const onHome = await header()
  for (const name of ['Team', 'Profile', 'Settings']) {
    await page.getByRole('button', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeAttached()
    expect(await header(), name).toEqual(onHome)
  }
})

test('keys switch, open screens and show their help, but not while typing and not when switched off', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await becomeUser(page, server, MARA)
  // The listener is loaded after the first paint.
  await expect(async () => {
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('d')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(deebSwitch(page)).not.toBeChecked()

  await page.keyboard.press('d')
  await expect(deebSwitch(page)).toBeChecked()
  await page.keyboard.press('t')
  await expect(page).toHaveURL(`${server.url}/app/team`)
  await page.getByRole('searchbox').pressSequentially('dph?')
  await expect(page.getByRole('searchbox')).toHaveValue('dph?')
  await expect(deebSwitch(page)).toBeChecked()

  await page.getByRole('heading', { level: 1 }).focus()
  await page.keyboard.press('s')
  await expect(page).toHaveURL(`${server.url}/app/settings`)
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('checkbox', { name: 'Use single keys on this device' }).uncheck()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('h')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/app/settings`)
})
