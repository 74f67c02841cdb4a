import { expect, type Page } from '@playwright/test'
import { becomeUser, confirmAddress, MARA, persistedCache, switchDeeb, test, today } from '../test.ts'

const bar = (page: Page, label: string) => page.getByRole('button', { name: label })

async function goTo(page: Page, name: 'Profile' | 'Settings'): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()
}

async function finishOnboarding(page: Page, goalMinutes: number): Promise<void> {
  await page.getByLabel('Username').fill(MARA.username)
  await page.getByRole('button', { name: 'Continue' }).click()
  const goals = page.getByRole('dialog', { name: 'Set Your Daily Goals' })
  await expect(goals).toBeVisible()
  for (const field of await goals.getByRole('spinbutton').all()) await field.fill(`${goalMinutes}`)
  await goals.getByRole('button', { name: 'Save Goals' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test.describe('two weeks with a clock change between them', () => {
  // Monday 19 October 2026, 08:00 in Berlin. On Sunday the 25th the clocks go back from 03:00 to 02:00.
  test.use({ startsAt: '2026-10-19T06:00:00Z', timezoneId: 'Europe/Berlin' })

  test('show the bars, average and percentages of a worked example', async ({ page, server, pass }) => {
    let now = Date.parse('2026-10-19T06:00:00Z')
    const wait = async (minutes: number) => {
      await pass(minutes)
      now += minutes * 60_000
    }
    const until = (instant: string) => wait((Date.parse(instant) - now) / 60_000)
    const focus = async (from: string, to: string) => {
      await until(from)
      await switchDeeb(page, 'on')
      await until(to)
      await switchDeeb(page, 'off')
    }

    await confirmAddress(page, server, MARA)
    await finishOnboarding(page, 120)
    // The first week: 60 + 90 + 30 + 360 = 540 minutes.
    await focus('2026-10-19T06:10:00Z', '2026-10-19T07:10:00Z')
    await focus('2026-10-21T12:00:00Z', '2026-10-21T13:30:00Z')
    // Saturday 23:29:02 to Sunday 05:00: half an hour of Saturday, and 6 hours of Sunday, since the hour from 2 to 3
    // occurred twice.
    await focus('2026-10-24T21:29:02Z', '2026-10-25T04:00:00Z')
    await goTo(page, 'Profile')
    for (const label of ['Monday 1h 0m of 2h 0m', 'Wednesday 1h 30m of 2h 0m', 'Saturday 0h 30m of 2h 0m']) {
      await expect(bar(page, label)).toBeVisible()
    }
    await expect(bar(page, 'Sunday 6h 0m of 2h 0m')).toHaveAttribute('aria-current', 'date')
    // 540 of 7 * 120 = 840 minutes are 64.3 %.
    await expect(page.getByText('on track')).toBeVisible()
    await expect(page.getByText('64%', { exact: true })).toBeVisible()
    await expect(page.getByText('your first week', { exact: true })).toBeVisible()

    await page.getByRole('button', { name: 'deeb home' }).click()
    await focus('2026-10-26T08:00:00Z', '2026-10-26T10:30:00Z')
    await focus('2026-10-28T08:00:00Z', '2026-10-28T08:45:00Z')
    await until('2026-10-29T07:00:00Z')
    await setAllGoalsToOneHour(page)

    // Monday to Wednesday keep 2 hours, Thursday to Sunday have 1: 6 + 4 = 10 hours.
    // 150 + 0 + 45 = 195 of 600 minutes are 32.5 %.
    await expect(bar(page, 'Monday 2h 30m of 2h 0m')).toBeVisible()
    await expect(bar(page, 'Tuesday 0h 0m of 2h 0m')).toBeVisible()
    await expect(bar(page, 'Wednesday 0h 45m of 2h 0m')).toBeVisible()
    await expect(bar(page, 'Thursday 0h 0m of 1h 0m')).toBeVisible()
    await expect(page.getByText('33%', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'deeb home' }).click()
    await expect(page.getByText("Today's Goal: 1h 0m")).toBeVisible()
    await focus('2026-10-29T08:00:00Z', '2026-10-29T09:30:00Z')
    await expect(today(page)).toHaveAccessibleName('1 hour 30 minutes of 1 hour 0 minutes today, 150 percent')

    // 195 + 90 = 285 minutes: 47.5 % of 600, 52.8 % of 540, 23.75 % of 1200.
    await goTo(page, 'Profile')
    await expect(bar(page, 'Thursday 1h 30m of 1h 0m')).toBeVisible()
    await expect(page.getByText('48%', { exact: true })).toBeVisible()
    await expect(page.getByText('53% of avg. week')).toBeVisible()
    await expect(page.getByText('24% of avg. user')).toBeVisible()
    await expect(ring(page, 'Your Average/Week')).toHaveAccessibleName('9 hours 0 minutes')
    await expect(ring(page, 'This Week Total')).toHaveAccessibleName('4 hours 45 minutes')
    await expect(ring(page, 'Avg. User Week')).toHaveAccessibleName('23 hours 20 minutes')
    await expect(ring(page, 'Me Compared to Avg. User')).toHaveAccessibleName('4 hours 45 minutes')

    // The open session counts while it runs: 315 minutes are 52.5 % of 600, 58.3 % of 540, 26.25 % of 1200.
    await switchDeeb(page, 'on')
    await wait(30)
    await expect(bar(page, 'Thursday 2h 0m of 1h 0m')).toBeVisible()
    await expect(page.getByText('53%', { exact: true })).toBeVisible()
    await expect(page.getByText('58% of avg. week')).toBeVisible()
    await expect(page.getByText('26% of avg. user')).toBeVisible()
    await page.reload()
    await expect(bar(page, 'Thursday 2h 0m of 1h 0m')).toBeVisible()
  })
})

const ring = (page: Page, title: string) => page.getByRole('figure').filter({ hasText: title }).getByRole('img')

async function setAllGoalsToOneHour(page: Page): Promise<void> {
  await goTo(page, 'Profile')
  await page.getByRole('button', { name: 'Adjust Daily Goals' }).click()
  await expect(page.getByRole('heading', { name: 'Goal Settings' })).toBeFocused()
  for (const day of ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']) {
    await page.getByRole('button', { name: new RegExp(`^${day} 2h 0m`) }).click()
    await page.getByRole('listbox', { name: 'Hours' }).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('button', { name: `${day} 1h 0m` })).toBeVisible()
  }
  await page.getByRole('button', { name: 'Save Goals' }).click()
  await expect(page.getByText('Goals saved!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeFocused()
}

test('a goal between the steps of the wheels is kept until its day is changed', async ({ page, server }) => {
  await confirmAddress(page, server, MARA)
  await finishOnboarding(page, 478)
  await page.goto(`${server.url}/app/goal-settings`)
  await page.getByRole('button', { name: 'Mo 7h 58m' }).click()
  // The nearest step: 8h 0m.
  const chosen = (wheel: string) => page.getByRole('listbox', { name: wheel }).getByRole('option', { selected: true })
  await expect(chosen('Hours')).toHaveText('8')
  await expect(chosen('Minutes')).toHaveText('0')
  await page.getByRole('button', { name: 'Tu 7h 58m' }).click()
  await page.getByRole('listbox', { name: 'Minutes' }).press('ArrowDown')
  await expect(page.getByRole('button', { name: 'Tu 8h 5m' })).toBeVisible()
  await page.getByRole('button', { name: 'Save Goals' }).click()
  await expect(page.getByText('Goals saved!')).toBeVisible()
  await page.goto(`${server.url}/app/goal-settings`)
  await expect(page.getByRole('button', { name: 'Mo 7h 58m' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Tu 8h 5m' })).toBeVisible()
})

test('goals that failed to load cannot be overwritten', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await page.route('**/api/home*', (route) => route.abort())
  await page.goto(`${server.url}/app/goal-settings`)
  // The default of every day, or the cached value.
  await expect(page.getByRole('button', { name: /^Mo [81]h 0m/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save Goals' })).toBeDisabled()
  await expect(page.getByText('Your goals could not be loaded')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save Goals' })).toBeDisabled()
  await page.unroute('**/api/home*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Mo 1h 0m' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save Goals' })).toBeEnabled()
})

test('stale goals cannot be overwritten until the refetch succeeds', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await page.route('**/api/home*', (route) => route.abort())
  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('button', { name: 'Adjust Daily Goals' }).click()
  await expect(page.getByRole('button', { name: 'Mo 1h 0m' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save Goals' })).toBeDisabled()
  await expect(page.getByText('Your goals could not be loaded')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save Goals' })).toBeDisabled()
  await page.unroute('**/api/home*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Save Goals' })).toBeEnabled()
  await expect(page.getByText('Your goals could not be loaded')).toBeHidden()
})

test('a failed save of goals shows an error and keeps the chosen values', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await page.goto(`${server.url}/app/goal-settings`)
  await page.getByRole('button', { name: 'Mo 1h 0m' }).click()
  await page.getByRole('listbox', { name: 'Hours' }).press('ArrowDown')
  await page.route('**/api/goals', (route) => route.abort())
  await page.getByRole('button', { name: 'Save Goals' }).click()
  await expect(page.getByRole('alert').getByText('Failed to save goals. Please try again.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mo 2h 0m' })).toBeVisible()
})

test.describe('goals that are not saved', () => {
  /** Opens Goal Settings from Profile and turns Monday from 1h to 2h. */
  async function changeMonday(page: Page): Promise<void> {
    await goTo(page, 'Profile')
    await page.getByRole('button', { name: 'Adjust Daily Goals' }).click()
    await page.getByRole('button', { name: 'Mo 1h 0m' }).click()
    await page.getByRole('listbox', { name: 'Hours' }).press('ArrowDown')
    await expect(page.getByText('Not saved yet.')).toBeVisible()
  }

  for (const [way, leave] of [
    ['the back button', (page: Page) => page.getByRole('button', { name: 'Back to Profile' }).click()],
    ['the bar', (page: Page) => goTo(page, 'Settings')],
    ["the browser's back button", (page: Page) => page.goBack()],
  ] as const) {
    test(`are kept after leaving by ${way}, and can be saved there`, async ({ page, server }) => {
      await becomeUser(page, server, MARA)
      await changeMonday(page)
      await leave(page)
      await expect(page.getByRole('status').filter({ hasText: 'Changes kept' })).toBeVisible()
      const saved = page.waitForResponse('**/api/goals')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      expect((await saved).status()).toBe(200)
      await expect(page.getByText('Goals saved!')).toBeVisible()
      await page.goto(`${server.url}/app/goal-settings`)
      await expect(page.getByRole('button', { name: 'Mo 2h 0m' })).toBeVisible()
      await expect(page.getByText('Not saved yet.')).toHaveCount(0)
    })
  }

  test('are there again after a closed tab, and can be discarded', async ({ page, server, context }) => {
    await becomeUser(page, server, MARA)
    await changeMonday(page)
    await expect.poll(() => persistedCache(page)).toContain('goals-draft')
    await page.close()
    const next = await context.newPage()
    await next.goto(`${server.url}/app/goal-settings`)
    await expect(next.getByRole('button', { name: 'Mo 2h 0m' })).toBeVisible()
    await next.getByRole('button', { name: 'Discard changes' }).click()
    await expect(next.getByRole('button', { name: 'Mo 1h 0m' })).toBeVisible()
    await goTo(next, 'Settings')
    await expect(next.getByText('Changes kept')).toHaveCount(0)
  })

  test('are none if a wheel was turned back', async ({ page, server }) => {
    await becomeUser(page, server, MARA)
    await changeMonday(page)
    await page.getByRole('listbox', { name: 'Hours' }).press('ArrowUp')
    await expect(page.getByText('Not saved yet.')).toHaveCount(0)
    await page.getByRole('button', { name: 'Back to Profile' }).click()
    await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
    await expect(page.getByText('Changes kept')).toHaveCount(0)
  })
})

test('a goal is given to all days or to the weekdays', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await page.goto(`${server.url}/app/goal-settings`)
  await page.getByRole('button', { name: 'We 1h 0m' }).click()
  const hours = page.getByRole('listbox', { name: 'Hours' })
  await expect(hours).toBeVisible()
  // Six quick keys. None is lost if the wheel stops between them.
  await hours.evaluate(async (wheel) => {
    for (let key = 0; key < 6; key++) {
      wheel.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }))
      await Promise.resolve()
      wheel.dispatchEvent(new Event('scrollend'))
    }
  })
  await page.getByRole('button', { name: 'Same for all days' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'All days: 7h 0m' })).toBeAttached()
  for (const day of ['Mo', 'Su']) await expect(page.getByRole('button', { name: `${day} 7h 0m` })).toBeVisible()
  await page.getByRole('listbox', { name: 'Hours' }).press('6')
  await page.getByRole('button', { name: 'Same for weekdays' }).click()
  await expect(page.getByRole('button', { name: 'Mo 6h 0m' })).toBeVisible()
  await page.getByRole('button', { name: 'Sa 7h 0m' }).click()
  await expect(page.getByRole('button', { name: 'Same for weekdays' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Save Goals' }).click()
  await expect(page.getByText('Goals saved!')).toBeVisible()
  await page.goto(`${server.url}/app/goal-settings`)
  for (const row of ['Mo 6h 0m', 'Fr 6h 0m', 'Sa 7h 0m', 'Su 7h 0m']) {
    await expect(page.getByRole('button', { name: row })).toBeVisible()
  }
})

test('a week that fails to load shows an error with a retry', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await page.route('**/api/week*', (route) => route.abort())
  await page.goto(`${server.url}/app/profile`)
  await expect(page.getByText('Failed to load profile data')).toBeVisible()
  await page.unroute('**/api/week*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('get deeb')).toBeVisible()
  await expect(page.getByText('after your first week')).toBeVisible()
})

test('Settings shows the account and changes the username unless it is taken', async ({ page, server, newDevice }) => {
  const other = await newDevice()
  await becomeUser(other, server, { ...MARA, email: 'ada.novak@fjordlab.example', username: 'Ada' })
  await other.close()

  await becomeUser(page, server, MARA)
  await goTo(page, 'Settings')
  await expect(page.getByRole('definition')).toHaveText([MARA.email, 'Mara Lind', 'fjordlab.example'])
  const field = page.getByLabel('Username')
  const button = page.getByRole('button', { name: 'Update Username' })
  await expect(field).toHaveValue('mara')
  for (const unchanged of ['mara', '  mara ', '', '   ']) {
    await field.fill(unchanged)
    await expect(button).toBeDisabled()
  }
  await field.fill('aDA')
  await button.click()
  await expect(
    page.getByRole('alert').getByText('This username is already taken. Please choose another one.'),
  ).toBeVisible()
  await expect(field).toHaveValue('aDA')
  await field.fill('  mara l. ')
  await field.press('Enter')
  await expect(page.getByText('Username updated')).toBeVisible()
  await expect(field).toHaveValue('mara l.')
  await expect(button).toBeDisabled()
  await page.getByRole('button', { name: 'deeb home' }).click()
  await expect(page.getByRole('heading', { name: 'Hi mara l.' })).toBeVisible()
})

test('the back button visits each screen once and never returns to saved goals', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  const goBack = async (path: string) => {
    await page.goBack()
    await expect(page).toHaveURL(server.url + path)
  }
  for (let presses = 0; presses < 3; presses++) await page.getByRole('button', { name: 'Team' }).click()
  await goTo(page, 'Profile')
  await page.getByRole('button', { name: 'Adjust Daily Goals' }).click()
  await expect(page.getByRole('button', { name: 'Save Goals' })).toBeEnabled()
  await page.getByRole('button', { name: 'Save Goals' }).click()
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeFocused()
  await goBack('/app/team')
  await goBack('/app/home')

  // Opened by its URL, the screen has no history. The arrow still leads to Profile.
  await page.goto(`${server.url}/app/sessions`)
  await goTo(page, 'Profile')
  await goBack('/app/sessions')
  await page.getByRole('button', { name: 'Back to Profile' }).click()
  await expect(page).toHaveURL(`${server.url}/app/profile`)
})

test('a screen is announced to screen readers and focuses its heading when it opens', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  const announcer = page.locator('[aria-live="polite"].sr-only')
  await goTo(page, 'Profile')
  await expect(page).toHaveTitle('Profile · deeb')
  await expect(announcer).toHaveText('Profile')
  await page.getByRole('link', { name: 'Edit sessions' }).click()
  await expect(page.getByRole('heading', { name: 'Edit sessions' })).toBeFocused()
  await expect(announcer).toHaveText('Edit sessions')
  await expect(page.getByRole('button', { name: 'Profile', exact: true })).toHaveAttribute('aria-current', 'page')
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeFocused()
  await page.getByRole('button', { name: 'deeb home' }).click()
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeFocused()
  await expect(announcer).toHaveText('Home')
})
