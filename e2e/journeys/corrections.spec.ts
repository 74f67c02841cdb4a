import { expect, type Page } from '@playwright/test'
import { becomeUser, deebSwitch, MARA, signIn, switchDeeb, test, today } from '../test.ts'

// Monday 15 June 2026, 09:00 in Berlin.
test.use({ startsAt: '2026-06-15T07:00:00Z', timezoneId: 'Europe/Berlin' })

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Were you still in deeb mode?' })

/** Starts a session and returns 17 hours later. */
async function forgetSession(page: Page, pass: (minutes: number) => Promise<void>): Promise<void> {
  await switchDeeb(page, 'on')
  await pass(17 * 60)
}

test('a forgotten session asks for its end time, and all totals follow the answer', async ({ page, server, pass }) => {
  await becomeUser(page, server, MARA)
  await forgetSession(page, pass)
  await server.stop()
  await server.start()
  await page.reload()
  await expect(dialog(page)).toContainText('was still on after 16 hours, so deeb ended it at 01:0')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeVisible()

  await page.getByRole('button', { name: 'Set end time' }).click()
  const field = page.getByLabel('End time')
  await field.fill('2026-06-15T08:00')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The end must be after the start.')).toBeVisible()
  await field.fill('2026-06-16T03:30')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The end cannot be in the future.')).toBeVisible()
  await field.fill('2026-06-15T10:31')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toHaveCount(0)

  // It is 02:00 on Tuesday now. Monday has an hour and a half.
  await expect(today(page)).toHaveAccessibleName(/^0 hours 0 minutes/)
  await page.getByRole('button', { name: 'Profile' }).click()
  await expect(page.getByRole('button', { name: /^Monday 1h (29|30)m of/ })).toBeVisible()
})

test('a forgotten session is kept or discarded with one press', async ({ page, server, pass }) => {
  await becomeUser(page, server, MARA)
  await forgetSession(page, pass)
  await switchDeeb(page, 'off')
  await page.getByRole('button', { name: 'Keep' }).click()
  await expect(dialog(page)).toHaveCount(0)
  // Until the refetch it shows the persisted cache, which may have an open session.
  await Promise.all([page.waitForResponse('**/api/home?*'), page.reload()])
  await expect(deebSwitch(page)).not.toBeChecked()
  // From 09:00 until 01:00: one hour of it is today.
  await expect(today(page)).toHaveAccessibleName(/^(0 hours 59|1 hour 0) minutes/)
  await expect(dialog(page)).toHaveCount(0)

  await forgetSession(page, pass)
  await switchDeeb(page, 'off')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Profile' }).click()
  await expect(page.getByRole('button', { name: /^Monday (14h 59|15h 0)m/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Tuesday (0h 59|1h 0)m/ })).toBeVisible()
})

test('a session deleted on one device disappears on the other without a reload', async ({
  page,
  newDevice,
  server,
}) => {
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  await server.travel(25)
  await switchDeeb(page, 'off')
  const phone = await newDevice()
  await phone.goto(`${server.url}/app`)
  await signIn(phone, MARA)
  await expect(today(phone)).toHaveAccessibleName(/^0 hours 25 minutes/)

  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('link', { name: 'Edit sessions' }).click()
  await page.getByRole('button', { name: /0h 25m/ }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Session deleted')).toBeVisible()
  await expect(today(phone)).toHaveAccessibleName(/^0 hours 0 minutes/)
})

test('a restored start time keeps its seconds and does not overlap the session before it', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  for (const minutes of [25, 40]) {
    await switchDeeb(page, 'on')
    await server.travel(minutes)
    await switchDeeb(page, 'off')
  }
  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('link', { name: 'Edit sessions' }).click()
  await page.getByRole('button', { name: /0h 40m/ }).click()
  const start = page.getByLabel('Start')
  const began = await start.inputValue()
  await start.fill('2026-06-15T09:10')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('This overlaps another session.')).toBeVisible()
  await start.fill(began)
  await page.getByLabel('End').fill('2026-06-15T09:55')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Session saved')).toBeVisible()
  await expect(page.getByRole('button', { name: /09:55 0h (29|30)m/ })).toBeVisible()
})

test('sessions of the last days can be corrected and deleted', async ({ page, server, pass }) => {
  await becomeUser(page, server, MARA)
  for (const minutes of [60, 30]) {
    await switchDeeb(page, 'on')
    await pass(minutes)
    await switchDeeb(page, 'off')
    await pass(30)
  }
  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('link', { name: 'Edit sessions' }).click()
  await expect(page.getByRole('heading', { name: 'Monday 15 June' })).toBeVisible()
  const first = page.getByRole('button', { name: /1h 0m/ })
  await first.click()
  await page.getByLabel('End').fill('2026-06-15T10:45')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('This overlaps another session.')).toBeVisible()
  await page.getByLabel('End').fill('2026-06-15T09:31')
  await page.getByLabel('Start').fill('2026-06-15T09:01')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Session saved')).toBeVisible()
  await expect(page.getByRole('button', { name: '09:01 – 09:31 0h 30m' })).toBeVisible()

  await page.getByRole('button', { name: '09:01 – 09:31' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete this session?' })
  await expect(question).toContainText('Monday 15 June, 09:01 to 09:31')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Session deleted')).toBeVisible()
  await expect(page.getByRole('button', { name: '09:01 – 09:31' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Back to Profile' }).click()
  await expect(page.getByRole('button', { name: 'Monday 0h 30m of 1h 0m' })).toBeVisible()
})

test('an empty session list explains that finished sessions appear there', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await page.goto(`${server.url}/app/sessions`)
  await expect(page.getByText('No sessions yet.')).toBeVisible()
})
