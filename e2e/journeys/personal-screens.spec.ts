import { expect, type Page } from '@playwright/test'
import { becomeUser, confirmAddress, hold, MARA, persistedCache, switchDeeb, test, today } from '../test.ts'

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

  test('show the bars, average and percentages of a worked example', { tag: '@heavy' }, async ({
    page,
    server,
    pass,
  }) => {
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
    await page.getByRole('button', { name: /^Avg. User Week/ }).click()
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

test('goals that are not saved are kept after the back button and a closed tab, and no screen shows old ones after a save', {
  tag: '@heavy',
}, async ({ page, server, context }) => {
  await becomeUser(page, server, MARA)
  await goTo(page, 'Profile')
  await expect(bar(page, 'Sunday')).toHaveAccessibleName(/ of 1h 0m$/)
  await page.getByRole('button', { name: 'Adjust Daily Goals' }).click()
  for (const day of ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']) {
    await page.getByRole('button', { name: `${day} 1h 0m` }).click()
    await page.getByRole('listbox', { name: 'Hours' }).press('ArrowDown')
  }
  await page.goBack()
  await expect(page.getByRole('status').filter({ hasText: 'Changes kept' })).toBeVisible()
  await expect.poll(async () => (await persistedCache(page)).match(/"goalMinutes":120/g)).toHaveLength(7)
  await page.close()

  const next = await context.newPage()
  await next.goto(`${server.url}/app/profile`)
  await next.getByRole('button', { name: 'Adjust Daily Goals' }).click()
  await expect(next.getByRole('button', { name: 'Mo 2h 0m' })).toBeVisible()
  await expect(next.getByText('Not saved yet.')).toBeVisible()
  const week = await hold(next, '**/api/week*')
  await next.getByRole('button', { name: 'Save Goals' }).click()
  await expect(next.getByText('Goals saved!')).toBeVisible()
  await expect(next.getByRole('list', { name: 'This week' })).toHaveCount(0)
  week.release()
  await expect(bar(next, 'Sunday')).toHaveAccessibleName(/ of 2h 0m$/)
  await next.goto(`${server.url}/app/goal-settings`)
  await expect(next.getByRole('button', { name: 'Mo 2h 0m' })).toBeVisible()
  await expect(next.getByText('Not saved yet.')).toHaveCount(0)
})

test('a screen is announced to screen readers and focuses its heading when it opens, and the back button visits each screen once', {
  tag: '@heavy',
}, async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  const announcer = page.locator('[aria-live="polite"].sr-only')
  const goBack = async (path: string) => {
    await page.goBack()
    await expect(page).toHaveURL(server.url + path)
  }
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

  // Never back to goals that are saved.
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
