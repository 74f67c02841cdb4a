import { expect } from '@playwright/test'
import { becomeUser, confirmAddress, hold, MARA, newestLink, persistedCache, test } from '../test.ts'

const NOA = { email: 'noa.berg@fjordlab.example', password: 'slow-heron-77', username: 'noa' }

test('the two dialogs stay open until they are answered', async ({ page, server }) => {
  await confirmAddress(page, server, MARA)
  const welcome = page.getByRole('dialog', { name: 'Welcome to deeb!' })
  await expect(page.getByLabel('Username')).toBeFocused()
  for (let i = 0; i < 10; i++) await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(welcome).toBeVisible()

  await page.getByLabel('Username').fill('   ')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Username required')).toBeVisible()
  await expect(page.getByRole('alert').getByText('Please enter a username to continue.')).toBeVisible()
  await page.getByLabel('Username').fill(MARA.username)
  await page.keyboard.press('Enter')

  const goals = page.getByRole('dialog', { name: 'Set Your Daily Goals' })
  await expect(goals).toBeVisible()
  for (let i = 0; i < 10; i++) await page.keyboard.press('Escape')
  await expect(goals).toBeVisible()
  // The next visit asks again.
  await page.reload()
  await expect(goals).toBeVisible()
  await goals.getByRole('button', { name: 'Skip (1h daily)' }).click()
  await expect(page.getByText('Default goals set')).toBeVisible()
  await expect(page.getByText("Today's Goal: 1h 0m")).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a taken username is refused, and the field keeps the text', async ({ page, newDevice, server }) => {
  await becomeUser(page, server, MARA)
  const other = await newDevice()
  await confirmAddress(other, server, NOA)
  await other.getByLabel('Username').fill('MARA')
  await other.getByRole('button', { name: 'Continue' }).click()
  await expect(other.getByText('Username taken')).toBeVisible()
  await expect(
    other.getByRole('alert').getByText('This username is already taken. Please choose another one.'),
  ).toBeVisible()
  await expect(other.getByLabel('Username')).toHaveValue('MARA')
  await other.getByLabel('Username').fill('noa')
  await other.getByRole('button', { name: 'Continue' }).click()
  await expect(other.getByRole('dialog', { name: 'Set Your Daily Goals' })).toBeVisible()
})

test('goals are clamped: invalid and negative numbers become 0', async ({ page, server }) => {
  await confirmAddress(page, server, MARA)
  await page.getByLabel('Username').fill(MARA.username)
  await page.keyboard.press('Enter')
  const goals = page.getByRole('dialog', { name: 'Set Your Daily Goals' })
  await expect(goals.getByRole('spinbutton')).toHaveCount(7)
  for (const field of await goals.getByRole('spinbutton').all()) await field.fill('')
  await goals.getByLabel('Sunday').fill('-30')
  await goals.getByRole('button', { name: 'Save Goals' }).click()
  await expect(page.getByText("Today's Goal: 0h 0m")).toBeVisible()
  await expect(page.getByText('get deeb')).toBeVisible()
  await expect(page.getByText('%')).toHaveCount(0)
})

test('a failed save keeps the dialogs open with the entered values', async ({ page, server }) => {
  await confirmAddress(page, server, MARA)
  await page.route('**/api/profile/username', (route) => route.abort())
  await page.getByLabel('Username').fill(MARA.username)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').getByText('Failed to set username')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveValue(MARA.username)
  await page.unroute('**/api/profile/username')
  await page.keyboard.press('Enter')

  const goals = page.getByRole('dialog', { name: 'Set Your Daily Goals' })
  await page.route('**/api/goals', (route) => route.abort())
  await goals.getByLabel('Monday').fill('300')
  await goals.getByRole('button', { name: 'Save Goals' }).click()
  await expect(page.getByRole('alert').getByText('Failed to set daily goals. Please try again.')).toBeVisible()
  await expect(goals.getByLabel('Monday')).toHaveValue('300')
  await goals.getByRole('button', { name: 'Skip (1h daily)' }).click()
  await expect(page.getByRole('alert').getByText('Failed to set default goals. Please try again.')).toBeVisible()
})

test('the goals dialog stays closed after saving, even if the refetch fails', async ({ page, server }) => {
  await confirmAddress(page, server, MARA)
  await page.getByLabel('Username').fill(MARA.username)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Set Your Daily Goals' })).toBeVisible()
  await page.route('**/api/home*', (route) => route.abort())
  await page.getByRole('button', { name: 'Save Goals' }).click()
  await expect(page.getByText('Goals set successfully')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText("Today's Goal: 1h 0m")).toBeVisible()
})

test('a screen that is opened before the onboarding leads to it, and comes after it', async ({ page, server }) => {
  await confirmAddress(page, server, MARA)
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
  await page.getByRole('button', { name: 'Skip (1h daily)' }).click()
  await expect(page.getByText('No team connections yet.')).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/app/team`)
  await expect(page.getByText('Default goals set')).toBeVisible()
})

test('Settings stays open before the onboarding, for a person who wants to leave', async ({ page, server }) => {
  await confirmAddress(page, server, MARA)
  await page.goto(`${server.url}/app/settings`)
  await page.getByRole('button', { name: 'Profile' }).click()
  await expect(page.getByRole('dialog', { name: 'Welcome to deeb!' })).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(`${server.url}/app`)
})

test('a second visit of a screen does not wait for the profile', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  // The address contains the username too.
  await expect.poll(() => persistedCache(page)).toContain(`"username":"${MARA.username}"`)
  await hold(page, '**/api/home*')
  await page.goto(`${server.url}/app/sessions`)
  // A screen that waited would be shown after the timeout of the read, 10 s.
  await expect(page.getByText('No sessions yet.')).toBeVisible({ timeout: 8_000 })
})

test('a screen is shown if the profile cannot be read', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await page.evaluate(() => localStorage.removeItem('deeb.kept-reads'))
  await page.route('**/api/home*', (route) => route.abort())
  await page.goto(`${server.url}/app/profile`)
  await expect(page.getByText('Your Average/Week')).toBeVisible()
})

test('a link works once; a used or broken link offers a new email', async ({ page, newDevice, server }) => {
  await confirmAddress(page, server, MARA)
  const used = await newestLink(server, MARA)
  const stranger = await newDevice()
  await stranger.goto(used)
  await expect(stranger.getByText('This link has expired or was already used.')).toBeVisible()
  await stranger.getByLabel('Email').fill(MARA.email)
  await stranger.getByRole('button', { name: 'Send the email again' }).click()
  await expect(stranger.getByText('Check your email')).toBeVisible()
})
