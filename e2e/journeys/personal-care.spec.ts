import { expect, type Page } from '@playwright/test'
import { becomeUser, deebSwitch, expectFocused, hold, MARA, signIn, switchDeeb, test, today } from '../test.ts'

const go = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('a loading screen is in focus mode already', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  const week = await hold(page, '**/api/week*')
  await go(page, 'Profile')
  await expect(page.getByText('Loading...')).toBeAttached()
  await expect(page.locator('html')).toHaveAttribute('data-focus', 'on')
  await expect(deebSwitch(page)).toBeChecked()
  week.release()
})

test('saving goals does not navigate a user who has left the screen, and saves once', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  let saves = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/goals')) saves++
  })
  await page.goto(`${server.url}/app/goal-settings`)
  await expect(page.getByRole('button', { name: 'Mo 1h 0m' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save Goals' })).toBeEnabled()
  const saving = await hold(page, '**/api/goals')
  await page.getByRole('button', { name: 'Save Goals' }).evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await go(page, 'Settings')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  saving.release()
  await expect(page.getByText('Goals saved!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  expect(saves).toBe(1)
})

test('no screen shows stale goals after a save', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await go(page, 'Profile')
  await expect(page.getByRole('button', { name: /^Sunday .* of 1h 0m/ })).toBeVisible()
  await page.getByRole('button', { name: 'Adjust Daily Goals' }).click()
  for (const day of ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']) {
    await page.getByRole('button', { name: `${day} 1h 0m` }).click()
    await page.getByRole('listbox', { name: 'Hours' }).press('ArrowDown')
  }
  const week = await hold(page, '**/api/week*')
  await page.getByRole('button', { name: 'Save Goals' }).click()
  await expect(page.getByText('Goals saved!')).toBeVisible()
  await expect(page.getByRole('list', { name: 'This week' })).toHaveCount(0)
  week.release()
  await expect(page.getByRole('button', { name: /^Sunday .* of 2h 0m/ })).toBeVisible()
})

test.describe('as time passes', () => {
  // Monday 15 June 2026, 09:00 in Berlin.
  test.use({ startsAt: '2026-06-15T07:00:00Z', timezoneId: 'Europe/Berlin' })

  test('an open page counts at most 16 hours', async ({ page, server, pass }) => {
    await becomeUser(page, server, MARA)
    await switchDeeb(page, 'on')
    await page.route('**/api/**', (route) => route.abort())
    await pass(19 * 60)
    await expect(page.getByRole('timer')).toHaveText('16:00:00')
    // One of the hours is in the new day.
    await expect(today(page)).toHaveAccessibleName(/^(0 hours 59|1 hour 0) minutes/)
  })

  test('a correction changes only the edited fields, also after a change on another device', async ({
    newDevice,
    page,
    server,
    pass,
  }) => {
    await becomeUser(page, server, MARA)
    await switchDeeb(page, 'on')
    await pass(60)
    await switchDeeb(page, 'off')
    await pass(60)
    await page.goto(`${server.url}/app/sessions`)
    await page.getByRole('button', { name: /1h 0m/ }).click()
    await expect(page.getByLabel('Start')).toHaveValue('2026-06-15T09:00')

    const phone = await newDevice()
    await phone.goto(`${server.url}/app`)
    await signIn(phone, MARA)
    await expect(phone.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
    await phone.goto(`${server.url}/app/sessions`)
    await phone.getByRole('button', { name: /1h 0m/ }).click()
    await phone.getByLabel('Start').fill('2026-06-15T09:20')
    await phone.getByRole('button', { name: 'Save' }).click()
    await expect(phone.getByText('Session saved')).toBeVisible()

    await switchDeeb(page, 'on')
    await expect(page.getByRole('button', { name: /09:20 – 10:00/ })).toBeVisible()
    await expect(page.getByLabel('Start')).toHaveValue('2026-06-15T09:20')
    await page.getByLabel('End').fill('2026-06-15T10:10')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectFocused(page.getByRole('button', { name: '09:20 – 10:10 0h 50m' }))
  })
})

test.describe('in the night when the hour from two to three occurs twice', () => {
  // Sunday 25 October 2026, 01:30 in Berlin: at 03:00 the clocks go back to 02:00.
  test.use({ startsAt: '2026-10-24T23:30:00Z', timezoneId: 'Europe/Berlin' })

  test('an end time in that hour is the occurrence that the user chooses', async ({ page, server, pass }) => {
    await becomeUser(page, server, MARA)
    await switchDeeb(page, 'on')
    await pass(3 * 60)
    await switchDeeb(page, 'off')
    await page.goto(`${server.url}/app/sessions`)
    await page.getByRole('button', { name: /3h 0m/ }).click()
    await page.getByLabel('End').fill('2026-10-25T02:50')
    await page.getByRole('radio', { name: /CEST|GMT\+2/ }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('button', { name: /– 02:50 1h (19|20)m/ })).toBeVisible()
    await page.getByRole('button', { name: /– 02:50/ }).click()
    await page.getByRole('radio', { name: /CET|GMT\+1/ }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('button', { name: /– 02:50 2h (19|20)m/ })).toBeVisible()
  })
})
