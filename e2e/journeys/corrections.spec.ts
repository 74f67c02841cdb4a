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

test('a forgotten session is kept or discarded with one press, or asks for its end time, and all totals follow', {
  tag: '@heavy',
}, async ({ page, server, pass }) => {
  await becomeUser(page, server, MARA)
  await test.step('kept', async () => {
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
  })

  await test.step('discarded', async () => {
    await forgetSession(page, pass)
    await switchDeeb(page, 'off')
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(dialog(page)).toHaveCount(0)
    await page.getByRole('button', { name: 'Profile' }).click()
    await expect(page.getByRole('button', { name: /^Monday (14h 59|15h 0)m/ })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Tuesday (0h 59|1h 0)m/ })).toBeVisible()
    await page.getByRole('button', { name: 'deeb home' }).click()
  })

  await test.step('with an end time', async () => {
    // It is 19:00 on Tuesday now.
    await forgetSession(page, pass)
    await server.stop()
    await server.start()
    await page.reload()
    await expect(dialog(page)).toContainText('was still on after 16 hours, so deeb ended it at 11:0')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeVisible()

    // Nothing tells when it ended, so the field leads.
    const field = page.getByLabel('End time', { exact: true })
    const save = page.getByRole('button', { name: 'Set end time' })
    await expect(field).toBeFocused()
    await field.fill('2026-06-16T18:00')
    await save.click()
    await expect(page.getByText('The end must be after the start.')).toBeVisible()
    await field.fill('2026-06-17T13:30')
    await save.click()
    await expect(page.getByText('The end cannot be in the future.')).toBeVisible()
    await field.fill('2026-06-16T20:31')
    await save.click()
    await expect(dialog(page)).toHaveCount(0)

    // It is noon on Wednesday now. Tuesday has an hour and a half more.
    await expect(today(page)).toHaveAccessibleName(/^0 hours 0 minutes/)
    await page.getByRole('button', { name: 'Profile' }).click()
    await expect(page.getByRole('button', { name: /^Tuesday 2h (28|29|30|31)m of/ })).toBeVisible()
  })
})

test('a session that is added, corrected, deleted and restored on one device shows on the other without a reload', {
  tag: '@heavy',
}, async ({ page, newDevice, server, pass }) => {
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  await pass(60)
  await switchDeeb(page, 'off')
  await pass(30)
  const phone = await newDevice()
  await phone.goto(`${server.url}/app`)
  await signIn(phone, MARA)
  await expect(today(phone)).toHaveAccessibleName(/^1 hour 0 minutes/)
  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('link', { name: 'Edit sessions' }).click()
  await expect(page.getByRole('heading', { name: 'Monday 15 June' })).toBeVisible()
  const row = page.getByRole('button', { name: '08:00–08:30 0h 30m' })

  await page.getByRole('button', { name: 'Add a session' }).click()
  await page.getByLabel('Start').fill('08:00')
  await page.getByLabel('End').fill('09:30')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('This overlaps another session.')).toBeVisible()
  await page.getByLabel('End').fill('08:30')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Session added')).toBeVisible()
  await expect(row).toBeVisible()
  await expect(today(phone)).toHaveAccessibleName(/^1 hour 30 minutes/)

  // It can be restored for 8 seconds, also on the next screen.
  await row.click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('status')).toContainText('Session deletedMonday 15 June, 08:00–08:30Undo')
  await page.getByRole('button', { name: 'Back to Profile' }).click()
  await expect(page.getByRole('button', { name: 'Monday 1h 0m of 1h 0m' })).toBeVisible()
  await expect(today(phone)).toHaveAccessibleName(/^1 hour 0 minutes/)
  await page.getByRole('button', { name: 'Undo' }).dblclick()
  await expect(page.getByText('Session restored')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Monday 1h 30m of 1h 0m' })).toBeVisible()
  await expect(today(phone)).toHaveAccessibleName(/^1 hour 30 minutes/)

  await page.getByRole('link', { name: 'Edit sessions' }).click()
  await row.click()
  await page.getByLabel('End').fill('2026-06-15T09:30')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('This overlaps another session.')).toBeVisible()
  await page.getByLabel('End').fill('2026-06-15T08:15')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Session saved')).toBeVisible()
  await expect(today(phone)).toHaveAccessibleName(/^1 hour 15 minutes/)
  const corrected = page.getByRole('button', { name: '08:00–08:15 0h 15m' })
  await corrected.click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.clock.runFor(8_500)
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: /1h 0m/ })).toBeVisible()
  await expect(corrected).toHaveCount(0)
})
