import { expect } from '@playwright/test'
import { becomeUser, confirmAddress, hold, MARA, persistedCache, signIn, test } from '../test.ts'

test('a screen that is opened before the onboarding leads to it, and comes after it; Settings stays open', {
  tag: '@heavy',
}, async ({ page, server }) => {
  await confirmAddress(page, server, MARA)
  await page.goto(`${server.url}/app/settings`)
  await page.getByRole('button', { name: 'Profile' }).click()
  await expect(page.getByRole('dialog', { name: 'Welcome to deeb!' })).toBeVisible()
  // For a person who wants to leave.
  await page.goBack()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(`${server.url}/app`)
  await signIn(page, MARA)
  await expect(page.getByRole('dialog', { name: 'Welcome to deeb!' })).toBeVisible()
  for (const path of ['/app/profile', '/app/goal-settings', '/app/sessions', '/app/team']) {
    const reads: string[] = []
    page.on('request', (request) => reads.push(new URL(request.url()).pathname))
    await page.goto(server.url + path)
    await expect(page.getByRole('dialog', { name: 'Welcome to deeb!' })).toBeVisible()
    await expect(page).toHaveURL(`${server.url}/app/home`)
    expect(reads.filter((read) => /^\/api\/(team(?!\/alerts)|week|sessions)/.test(read))).toEqual([])
  }
  await page.reload()
  await page.getByLabel('Username').fill(MARA.username)
  await page.keyboard.press('Enter')
  // The next visit asks for what is left.
  await expect(page.getByRole('dialog', { name: 'Set Your Daily Goals' })).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Skip (1h daily)' }).click()
  await expect(page.getByText('No team connections yet.')).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/app/team`)
  await expect(page.getByText('Default goals set')).toBeVisible()
  await page.goto(`${server.url}/app/home`)
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a second visit of a screen does not wait for the profile, and the first is shown if it cannot be read', {
  tag: '@heavy',
}, async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  // The address contains the username too.
  await expect.poll(() => persistedCache(page)).toContain(`"username":"${MARA.username}"`)
  await hold(page, '**/api/home*')
  await page.goto(`${server.url}/app/sessions`)
  // A screen that waited would be shown after the timeout of the read, 10 s.
  await expect(page.getByText('No sessions yet.')).toBeVisible({ timeout: 8_000 })

  await page.unroute('**/api/home*')
  await page.evaluate(() => localStorage.removeItem('deeb.kept-reads'))
  await page.route('**/api/home*', (route) => route.abort())
  await page.goto(`${server.url}/app/profile`)
  await expect(page.getByText('Your Average/Week')).toBeVisible()
})
