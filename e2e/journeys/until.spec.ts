import { expect, type Page } from '@playwright/test'
import { becomeUser, comeBack, deebSwitch, expectClean, expectFocused, MARA, switchDeeb, test, today } from '../test.ts'

// 09:00 in Berlin.
test.use({ startsAt: '2026-06-15T07:00:00Z', timezoneId: 'Europe/Berlin', locale: 'en-GB' })

const JONAS = { ...MARA, email: 'jonas.weber@fjordlab.example', username: 'jonas' }

const line = (page: Page) => page.getByRole('button', { name: /^until|reached$/ })
const choice = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name })
const mara = (page: Page) => page.getByRole('list', { name: 'Team members' }).getByRole('button', { name: /^Mara/ })

async function toTeam(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Team/ }).click()
  await expectFocused(page.getByRole('heading', { name: 'Team' }))
}

async function connect(page: Page, jonas: Page): Promise<void> {
  await toTeam(page)
  await page.getByRole('searchbox').fill('jonas')
  await page.getByRole('button', { name: 'Add Jonas Weber' }).click()
  await expect(page.getByText('Request sent', { exact: true })).toBeVisible()
  await toTeam(jonas)
  await jonas.getByRole('button', { name: /^Connection Requests/ }).click()
  await jonas.getByRole('button', { name: /^Accept/ }).click()
  await jonas.keyboard.press('Escape')
  await expect(mara(jonas)).toBeVisible()
  await page.getByRole('button', { name: 'deeb home' }).click()
}

/** Where the switch and the ring are. */
const places = (page: Page) => Promise.all([deebSwitch(page).boundingBox(), today(page).boundingBox()])

test('a colleague sees until when, and since when after it; nothing on Home moves', { tag: '@heavy' }, async ({
  page,
  newDevice,
  server,
  pass,
}) => {
  await becomeUser(page, server, MARA)
  const jonas = await newDevice()
  await becomeUser(jonas, server, JONAS)
  await connect(page, jonas)

  const before = await places(page)
  await switchDeeb(page, 'on')
  await expect(line(page)).toHaveText('until …')
  await line(page).click()
  await expect(choice(page, '50 minutes')).toBeVisible()
  await expectClean(page)
  await choice(page, '50 minutes').click()
  await expect(line(page)).toHaveText('until 09:50')
  await expectFocused(line(page))
  expect(await places(page)).toEqual(before)
  await expect(mara(jonas)).toContainText('until ~about 09:50')

  await pass(51)
  await expect(line(page)).toHaveText('50 minutes reached')
  await expect(deebSwitch(page)).toBeChecked()
  expect(await places(page)).toEqual(before)
  await comeBack(jonas)
  await expect(mara(jonas)).toContainText('since 09:00')

  await line(page).click()
  await expect(choice(page, '25 minutes')).toHaveCount(0)
  await choice(page, '90 minutes').click()
  await expect(mara(jonas)).toContainText('until ~about 10:30')
  await line(page).click()
  await choice(page, 'No end').click()
  await expect(line(page)).toHaveText('until …')
  await expect(mara(jonas)).toContainText('since 09:00')
})

test('offline a choice goes with the start; later it needs the network', { tag: '@heavy' }, async ({
  page,
  context,
  server,
}) => {
  await becomeUser(page, server, MARA)
  await expect(deebSwitch(page)).toBeEnabled()
  // The parts of Home that are loaded when they are shown for the first time.
  await switchDeeb(page, 'on')
  await line(page).click()
  await expect(choice(page, '25 minutes')).toBeVisible()
  await page.keyboard.press('Escape')
  await switchDeeb(page, 'off')

  await context.setOffline(true)
  await deebSwitch(page).click()
  await line(page).click()
  await choice(page, '25 minutes').click()
  await expect(line(page)).toHaveText('until 09:25')
  const sent = page.waitForRequest('**/api/focus/start')
  await context.setOffline(false)
  expect((await sent).postDataJSON()).toMatchObject({ targetMinutes: 25 })
  await expect(page.getByText('waiting to sync')).toHaveCount(0)
  await expect(line(page)).toHaveText('until 09:25')

  await context.setOffline(true)
  await line(page).click()
  await expect(page.getByText('You are offline. You can change the end once you are online again.')).toBeVisible()
  await expect(choice(page, '50 minutes')).toHaveAttribute('aria-disabled', 'true')
  await context.setOffline(false)
  await choice(page, '50 minutes').click()
  await expect(line(page)).toHaveText('until 09:50')
})
