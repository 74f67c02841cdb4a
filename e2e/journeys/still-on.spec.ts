import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { becomeUser, comeBack, deebSwitch, MARA, signIn, switchDeeb, test, today } from '../test.ts'

// Monday 15 June 2026, 09:00 in Berlin.
test.use({ startsAt: '2026-06-15T07:00:00Z', timezoneId: 'Europe/Berlin' })

const question = (page: Page) => page.getByText(/^Still in deeb mode\? Since /)
const yes = (page: Page) => page.getByRole('button', { name: 'Yes, still on' })

/** Waits until the page has asked the server whether another device was touched. */
const asked = (page: Page) => page.waitForResponse('**/api/sessions/likely-end?*')

/** Gives the user sessions from 09:00 to 18:00 on the five days before. */
async function workFiveDays(page: Page): Promise<void> {
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('deeb.auth.token') ?? '').access_token)
  for (const day of [10, 11, 12, 13, 14]) {
    const times = { startedAt: `2026-06-${day}T07:00:00.000Z`, endedAt: `2026-06-${day}T16:00:00.000Z` }
    const answer = await page.request.post(new URL('/api/sessions', page.url()).href, {
      headers: { authorization: `Bearer ${token}` },
      data: { sessionId: randomUUID(), ...times, timeZone: 'Europe/Berlin' },
    })
    expect(answer.status()).toBe(200)
  }
}

test('after 4 hours without a touch the page and its title ask once', { tag: '@heavy' }, async ({
  page,
  server,
  pass,
}) => {
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  await pass(3 * 60 + 50)
  await expect(deebSwitch(page)).toBeChecked()
  await expect(question(page)).toHaveCount(0)
  await pass(15)
  await expect(question(page)).toHaveText(/^Still in deeb mode\? Since 09:0\d\.$/)
  await expect(page).toHaveTitle('Still in deeb mode? · Home · deeb')

  // Another press is no answer, on no screen and after no reload.
  await page.getByRole('button', { name: 'Team' }).click()
  await expect(page).toHaveTitle('Still in deeb mode? · Team · deeb')
  await page.reload()
  await expect(yes(page)).toBeVisible()
  await yes(page).click()
  await expect(question(page)).toHaveCount(0)
  await expect(page).toHaveTitle('In deeb mode · Team · deeb')
  await expect(page.getByRole('heading', { name: 'Team', exact: true })).toBeFocused()

  const again = asked(page)
  await page.reload()
  await again
  await pass(5 * 60)
  await expect(deebSwitch(page)).toBeChecked()
  await expect(question(page)).toHaveCount(0)
})

test('a touch begins the 4 hours again; the question switches off, and a double press does not switch on again', {
  tag: '@heavy',
}, async ({ page, server, pass }) => {
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  await pass(3 * 60 + 50)
  await page.getByRole('heading').click()
  await pass(60)
  await expect(page).toHaveTitle('In deeb mode · Home · deeb')
  await pass(3 * 60)
  await expect(question(page)).toBeVisible()

  const stopped = page.waitForResponse('**/api/focus/stop')
  await page.getByRole('button', { name: 'Switch off' }).dblclick()
  await stopped
  await expect(deebSwitch(page)).not.toBeChecked()
  await expect(question(page)).toHaveCount(0)
  await expect(page).toHaveTitle('Home · deeb')
  await expect(today(page)).toHaveAccessibleName(/^7 hours 5[012] minutes/)
})

test('asks at the usual end of the day, also after an answer before', { tag: '@heavy' }, async ({
  page,
  server,
  pass,
}) => {
  await becomeUser(page, server, MARA)
  await workFiveDays(page)
  await switchDeeb(page, 'on')
  await pass(4 * 60 + 5)
  await yes(page).click()
  await pass(4 * 60 + 40)
  await expect(deebSwitch(page)).toBeChecked()
  await expect(question(page)).toHaveCount(0)
  // 18:00
  await pass(20)
  await yes(page).click()
  await expect(question(page)).toHaveCount(0)
  await pass(5 * 60)
  await expect(deebSwitch(page)).toBeChecked()
  await expect(question(page)).toHaveCount(0)
})

test('an answer on one device silences the other one, and a touch prevents its question', { tag: '@heavy' }, async ({
  page,
  newDevice,
  server,
  pass,
}) => {
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  const phone = await newDevice()
  await phone.goto(`${server.url}/app`)
  await signIn(phone, MARA)
  await expect(deebSwitch(phone)).toBeChecked()

  await pass(3 * 60)
  await phone.reload()
  await expect(deebSwitch(phone)).toBeChecked()
  await expect(phone.getByText('Since').or(phone.getByRole('timer'))).toBeVisible()
  let isReported = false
  phone.on('response', (response) => {
    isReported ||= response.url().endsWith('/api/sessions/touch')
  })
  // What listens for a touch is loaded after the first paint.
  const touch = async () => {
    await phone.getByRole('heading').click()
    return isReported
  }
  await expect.poll(touch).toBe(true)
  const checked = asked(page)
  await pass(2 * 60)
  await checked
  await expect(page).toHaveTitle('In deeb mode · Home · deeb')
  await expect(question(page)).toHaveCount(0)

  await pass(2 * 60 + 5)
  await expect(question(page)).toBeVisible()
  await phone.reload()
  await yes(phone).click()
  await expect(question(page)).toHaveCount(0)
  await expect(page).toHaveTitle('In deeb mode · Home · deeb')
})

test('asks offline too, and keeps the answer until the network returns', { tag: '@heavy' }, async ({
  page,
  context,
  server,
  pass,
}) => {
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  await pass(60)
  await context.setOffline(true)
  await page.clock.fastForward(3 * 3_600_000 + 60_000)
  await comeBack(page)
  await yes(page).click()
  await expect(question(page)).toHaveCount(0)
  await page.clock.fastForward(60 * 60_000)
  await comeBack(page)
  await expect(page).toHaveTitle('In deeb mode · Home · deeb')
  const reported = page.waitForResponse('**/api/sessions/touch')
  await context.setOffline(false)
  await page.clock.fastForward(16 * 60_000)
  const sent = (await reported).request().postDataJSON()
  expect(sent.answers).toEqual(['untouched'])
})

test('a forgotten session proposes when a device was last used and the usual end', { tag: '@heavy' }, async ({
  page,
  server,
  pass,
}) => {
  await becomeUser(page, server, MARA)
  await workFiveDays(page)
  await switchDeeb(page, 'on')
  await pass(3 * 60 + 12)
  const reported = page.waitForResponse('**/api/sessions/touch')
  await page.getByRole('heading').click()
  await reported
  await pass(14 * 60)
  await switchDeeb(page, 'off')
  const dialog = page.getByRole('dialog', { name: 'Were you still in deeb mode?' })
  const lastUsed = dialog.getByRole('button', { name: /^Set end time to 12:1\d · last used$/ })
  await expect(lastUsed).toBeFocused()
  await expect(dialog.getByRole('button', { name: 'Set end time to 18:00 · your usual end' })).toBeVisible()
  await expect(dialog.getByLabel('Another end time')).toBeVisible()
  await dialog.getByRole('button', { name: 'Set end time to 18:00 · your usual end' }).dblclick()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Profile' }).click()
  await expect(page.getByRole('button', { name: /^Monday (8h 59m|9h 0m) of/ })).toBeVisible()
})
