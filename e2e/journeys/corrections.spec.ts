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

  // Nothing tells when it ended, so the field leads.
  const field = page.getByLabel('End time', { exact: true })
  const save = page.getByRole('button', { name: 'Set end time' })
  await expect(field).toBeFocused()
  await field.fill('2026-06-15T08:00')
  await save.click()
  await expect(page.getByText('The end must be after the start.')).toBeVisible()
  await field.fill('2026-06-16T03:30')
  await save.click()
  await expect(page.getByText('The end cannot be in the future.')).toBeVisible()
  await field.fill('2026-06-15T10:31')
  await save.click()
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
  await page.getByRole('button', { name: 'Keep 16h' }).click()
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
  await expect(page.getByText('Session deleted')).toBeVisible()
  await expect(today(phone)).toHaveAccessibleName(/^0 hours 0 minutes/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(today(phone)).toHaveAccessibleName(/^0 hours 25 minutes/)
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
  await expect(page.getByRole('status')).toContainText('Session deletedMonday 15 June, 09:01 – 09:31Undo')
  await expect(page.getByRole('button', { name: '09:01 – 09:31' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Back to Profile' }).click()
  await expect(page.getByRole('button', { name: 'Monday 0h 30m of 1h 0m' })).toBeVisible()
})

/** Lets the user work for some minutes, and opens Edit sessions. */
async function workAndEdit(page: Page, pass: (minutes: number) => Promise<void>, ...spans: number[]): Promise<void> {
  for (const minutes of spans) {
    await switchDeeb(page, 'on')
    await pass(minutes)
    await switchDeeb(page, 'off')
    await pass(30)
  }
  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('link', { name: 'Edit sessions' }).click()
}

test('a deleted session can be restored for 8 seconds, also on the next screen', async ({ page, server, pass }) => {
  await becomeUser(page, server, MARA)
  await workAndEdit(page, pass, 60, 45)
  const first = page.getByRole('button', { name: /1h 0m/ })
  await first.click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Back to Profile' }).click()
  await expect(page.getByRole('button', { name: 'Monday 0h 45m of 1h 0m' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).dblclick()
  await expect(page.getByText('Session restored')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Monday 1h 45m of 1h 0m' })).toBeVisible()

  await page.getByRole('link', { name: 'Edit sessions' }).click()
  await first.click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.clock.runFor(8_500)
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: /0h 45m/ })).toBeVisible()
  await expect(first).toHaveCount(0)
})

test('keyboard only: a session is deleted and restored', async ({ page, server, pass }) => {
  await becomeUser(page, server, MARA)
  await workAndEdit(page, pass, 60)
  await page.getByRole('button', { name: /1h 0m/ }).press('Enter')
  await page.getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.clock.runFor(20_000)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /1h 0m/ })).toBeVisible()
  await expect(page.locator('body')).not.toBeFocused()
})

test('an undo that fails offline can be tried again, one into taken time is refused', async ({
  page,
  server,
  context,
  pass,
}) => {
  await becomeUser(page, server, MARA)
  await workAndEdit(page, pass, 60)
  await page.getByRole('button', { name: /1h 0m/ }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  const undo = page.getByRole('button', { name: 'Undo' })
  await expect(undo).toBeVisible()
  await context.setOffline(true)
  await undo.click()
  await expect(page.getByText('Not restored')).toBeVisible()
  await page.clock.runFor(60_000)
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Session restored')).toBeVisible()

  await page.getByRole('button', { name: /1h 0m/ }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(undo).toBeVisible()
  await addSession(page, '09:10', '09:20')
  await expect(page.getByText('Session added')).toBeVisible()
  await undo.click()
  await expect(
    page.getByRole('alert').getByText('Another session has its time now, so it stays deleted.'),
  ).toBeVisible()
})

test('a session stays when its deletion fails', async ({ page, server, context, pass }) => {
  await becomeUser(page, server, MARA)
  await workAndEdit(page, pass, 60)
  await page.getByRole('button', { name: /1h 0m/ }).click()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('alert').getByText('Failed to delete the session. Please try again.')).toBeVisible()
  await expect(page.getByRole('button', { name: /1h 0m/ })).toBeVisible()
})

/** Fills the form of a missed session and presses Add. */
async function addSession(page: Page, start: string, end: string, date?: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a session' }).click()
  if (date) await page.getByLabel('Day').fill(date)
  await page.getByLabel('Start').fill(start)
  await page.getByLabel('End').fill(end)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
}

test('a missed session is added, with errors at the fields, and shows on the other device', async ({
  page,
  newDevice,
  server,
  pass,
}) => {
  await becomeUser(page, server, MARA)
  await workAndEdit(page, pass, 60)
  const phone = await newDevice()
  await phone.goto(`${server.url}/app`)
  await signIn(phone, MARA)
  await expect(today(phone)).toHaveAccessibleName(/^1 hour 0 minutes/)

  await addSession(page, '', '')
  await expect(page.getByText('Enter the start time.')).toBeVisible()
  const form = page.getByRole('dialog', { name: 'Add a session' })
  const add = form.getByRole('button', { name: 'Add' })
  for (const [start, end, error] of [
    ['08:00', '', 'Enter the end time.'],
    ['08:00', '07:00', 'The end must be after the start.'],
    ['08:00', '11:00', 'The end cannot be in the future.'],
    ['08:00', '09:30', 'This overlaps another session.'],
  ] as const) {
    await page.getByLabel('Start').fill(start)
    await page.getByLabel('End').fill(end)
    await add.click()
    await expect(page.getByText(error)).toBeVisible()
  }
  await page.getByLabel('Day').fill('2026-06-08')
  await page.getByLabel('Start').fill('08:00')
  await page.getByLabel('End').fill('08:30')
  await add.click()
  await expect(page.getByText('The start must be within the last 7 days.')).toBeVisible()

  await page.getByLabel('Day').fill('2026-06-15')
  await add.click()
  await expect(page.getByText('Session added')).toBeVisible()
  await expect(form).toHaveCount(0)
  await expect(page.getByRole('button', { name: '08:00 – 08:30 0h 30m' })).toBeVisible()
  await expect(today(phone)).toHaveAccessibleName(/^1 hour 30 minutes/)

  // Right after the end of another session, which has seconds.
  await addSession(page, '10:00', '10:15')
  await expect(page.getByRole('button', { name: '10:00 – 10:15 0h 14m' })).toBeVisible()

  // Sunday night until Monday morning.
  await page.getByRole('button', { name: 'Add a session' }).click()
  await page.getByLabel('Day').fill('2026-06-14')
  await page.getByLabel('Start').fill('23:00')
  await page.getByLabel('End').fill('00:30')
  await expect(page.getByText('On Monday 15 June.')).toBeVisible()
  await page.getByLabel('End').press('Enter')
  await expect(page.getByRole('button', { name: '23:00 – 00:30 1h 30m' })).toBeVisible()
  await page.getByRole('button', { name: 'Back to Profile' }).click()
  await expect(page.getByRole('button', { name: /^Monday 2h (14|15)m/ })).toBeVisible()
})

test('a missed session whose answer was lost is added once', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await page.goto(`${server.url}/app/sessions`)
  await page.route('**/api/sessions', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort()
  })
  await addSession(page, '08:00', '08:30')
  await expect(page.getByRole('alert').getByText('Failed to add the session. Please try again.')).toBeVisible()
  await page.unroute('**/api/sessions')
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Session added')).toBeVisible()
  await expect(page.getByRole('button', { name: '08:00 – 08:30 0h 30m' })).toHaveCount(1)
})

test.describe('in the nights of clock changes', () => {
  // Sunday 25 October 2026, 12:00 in Berlin.
  test.use({ startsAt: '2026-10-25T11:00:00Z' })

  test('a missed session ends at the chosen one of two times', async ({ page, server }) => {
    await becomeUser(page, server, MARA)
    await page.goto(`${server.url}/app/sessions`)
    await page.getByRole('button', { name: 'Add a session' }).click()
    await page.getByLabel('Start').fill('01:30')
    await page.getByLabel('End').fill('02:30')
    await page.getByRole('radio', { name: /CET|GMT\+1/ }).check()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByRole('button', { name: '01:30 – 02:30 2h 0m' })).toBeVisible()
  })
})

test.describe('in the night when the hour from two to three is skipped', () => {
  // Sunday 29 March 2026, 12:00 in Berlin.
  test.use({ startsAt: '2026-03-29T10:00:00Z' })

  test('a missed session visibly ends an hour later', async ({ page, server }) => {
    await becomeUser(page, server, MARA)
    await page.goto(`${server.url}/app/sessions`)
    await page.getByRole('button', { name: 'Add a session' }).click()
    await page.getByLabel('Start').fill('01:30')
    await page.getByLabel('End').fill('02:30')
    await expect(page.getByLabel('End')).toHaveValue('03:30')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByRole('button', { name: '01:30 – 03:30 1h 0m' })).toBeVisible()
  })
})

test('sessions under a minute are folded into one row', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  for (let session = 0; session < 3; session++) {
    await switchDeeb(page, 'on')
    await switchDeeb(page, 'off')
  }
  await page.goto(`${server.url}/app/sessions`)
  const fold = page.getByRole('button', { name: '3 sessions under a minute' })
  await expect(fold).toHaveAttribute('aria-expanded', 'false')
  await expect(page.getByRole('button', { name: /\d+s$/ })).toHaveCount(0)
  await fold.press('Enter')
  await expect(page.getByRole('button', { name: /\d+s$/ })).toHaveCount(3)
  await page.getByRole('button', { name: /\d+s$/ }).first().press('Enter')
  await page.getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(page.getByRole('button', { name: '2 sessions under a minute' })).toHaveAttribute('aria-expanded', 'true')
})

test('an empty session list explains that finished sessions appear there', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await page.goto(`${server.url}/app/sessions`)
  await expect(page.getByText('No sessions yet.')).toBeVisible()
})
