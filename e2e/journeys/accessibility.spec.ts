import { expect, type Page } from '@playwright/test'
import {
  becomeUser,
  confirmAddress,
  deebSwitch,
  expectClean,
  expectNoSidewaysScroll,
  MARA,
  newestLink,
  switchDeeb,
  test,
} from '../test.ts'

test('axe finds no violation on any screen, light or in focus mode', async ({ page, server }) => {
  for (const path of ['/nowhere', '/app', '/app/signup', '/app/confirm', '/app/sso#error_code=access_denied']) {
    await page.goto(server.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectClean(page)
  }
  await confirmAddress(page, server, MARA)
  await expectClean(page)
  await page.getByLabel('Username').fill(MARA.username)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Set Your Daily Goals' })).toBeVisible()
  await expectClean(page)
  await page.getByRole('button', { name: 'Save Goals' }).click()
  await expect(page.getByText('Goals set successfully')).toBeVisible()
  await expectClean(page)
  await deebSwitch(page).click()
  await expect(page.getByRole('timer')).toBeVisible()
  await expectClean(page)
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await expectClean(page)
  await deebSwitch(page).click()
  await expectClean(page)
  await page.getByRole('link', { name: 'Sign-in' }).click()
  await expect(page.getByText('this browser')).toBeVisible()
  await expectClean(page)
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  await expectClean(page)
})

/** Visits Profile, Goal Settings and Edit Sessions with their editors and dialogs open. */
async function visitPersonalScreens(page: Page, look: () => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Profile', exact: true }).click()
  await expect(page.getByRole('list', { name: 'This week' })).toBeVisible()
  await look()
  await page.getByRole('button', { name: 'Adjust Daily Goals' }).click()
  await page.getByRole('button', { name: 'We 1h 0m' }).click()
  await expect(page.getByRole('listbox', { name: 'Hours' })).toBeVisible()
  await page.getByRole('listbox', { name: 'Hours' }).press('ArrowDown')
  await expect(page.getByText('Not saved yet.')).toBeVisible()
  await look()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('button', { name: 'Back to Profile' }).click()
  await page.getByRole('link', { name: 'Edit sessions' }).click()
  await page.getByRole('button', { name: /under a minute$/ }).click()
  await page.getByRole('button', { name: /\d+s$/ }).first().click()
  await look()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).hover()
  await look()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Add a session' }).click()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Enter the start time.')).toBeVisible()
  await look()
  await page.keyboard.press('Escape')
}

test('axe finds no violation on the team screen: empty, search, request sent, request received', async ({
  newDevice,
  page,
  server,
}) => {
  await becomeUser(page, server, MARA)
  await page.getByRole('button', { name: 'Team' }).click()
  await expect(page.getByText('No team connections yet.')).toBeVisible()
  await expectClean(page)
  const ada = await newDevice()
  await becomeUser(ada, server, { ...MARA, email: 'ada.novak@fjordlab.example', username: 'ada' })
  await page.getByRole('searchbox').fill('ada')
  await expect(page.getByRole('button', { name: 'Add Ada Novak' })).toBeVisible()
  await expectClean(page)
  await page.getByRole('button', { name: 'Add Ada Novak' }).click()
  await expect(page.getByText('Requested')).toBeVisible()
  await expectClean(page)
  await ada.getByRole('button', { name: 'Team' }).click()
  await ada.getByRole('button', { name: 'Connection Requests, 1' }).click()
  await expect(ada.getByRole('button', { name: 'Accept' })).toBeVisible()
  await expectClean(ada)
  await ada.getByRole('button', { name: 'Accept' }).click()
  await expect(ada.getByText('Request accepted')).toBeVisible()
  await ada.keyboard.press('Escape')
  await switchDeeb(page, 'on')
  await expect(ada.getByText('In deeb mode')).toBeVisible()
  await expectClean(ada)
  await ada.getByRole('button', { name: /^Mara Lind/ }).click()
  await expect(ada.getByRole('dialog', { name: 'Quit connection with Mara?' })).toBeVisible()
  await expectClean(ada)
  await ada.keyboard.press('Escape')
  await switchDeeb(ada, 'on')
  await expectClean(ada)
  await ada.setViewportSize({ width: 320, height: 568 })
  await expectNoSidewaysScroll(ada)
  const leftOf = async (text: string) => (await ada.getByText(text).boundingBox())?.x
  expect(await leftOf('In deeb mode')).toBe(await leftOf('Mara Lind'))
})

test('axe finds no violation on the personal screens, light or in focus mode', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  await switchDeeb(page, 'off')
  await visitPersonalScreens(page, () => expectClean(page))
  await switchDeeb(page, 'on')
  await visitPersonalScreens(page, () => expectClean(page))
})

test('keyboard only: read the week, set a goal, open the correction of a session', async ({ page, server }) => {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  await switchDeeb(page, 'off')
  await press('Tab', 'Tab', 'Enter')
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeFocused()
  await press('Tab')
  await expect(page.locator('[aria-current="date"]')).toBeFocused()
  await press('Home')
  await expect(page.getByRole('button', { name: /^Monday/ })).toBeFocused()
  await press('Tab')
  await expect(page.getByRole('button', { name: 'Adjust Daily Goals' })).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('heading', { name: 'Goal Settings' })).toBeFocused()
  await press('Tab', 'Tab', 'Enter', 'Tab')
  await expect(page.getByRole('listbox', { name: 'Hours' })).toBeFocused()
  await press('ArrowDown', 'Tab', 'PageDown')
  await expect(page.getByRole('button', { name: 'Mo 2h 25m' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save Goals' })).toBeEnabled()
  // The two actions of the row, six other days, and the button to discard.
  for (let stop = 0; stop < 10; stop++) await press('Tab')
  await expect(page.getByRole('button', { name: 'Save Goals' })).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeFocused()
  await press('Tab', 'Tab', 'Tab')
  await expect(page.getByRole('link', { name: 'Edit sessions' })).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('heading', { name: 'Edit sessions' })).toBeFocused()
  await expect(page.getByRole('button', { name: '1 session under a minute' })).toBeVisible()
  await press('Tab', 'Tab', 'Tab', 'Enter', 'Tab', 'Enter', 'Tab')
  await expect(page.getByLabel('Start')).toBeFocused()
})

test('keyboard only: sign up, confirm, onboard and switch', async ({ page, server }) => {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const type = (text: string) => page.keyboard.type(text)
  await page.goto(`${server.url}/app/signup`)
  await expect(page.getByRole('heading', { name: 'Create Account' })).toBeVisible()
  await press('Tab')
  await type(MARA.email)
  await press('Tab')
  await type(MARA.password)
  await press('Tab')
  await expect(page.getByRole('button', { name: 'Show characters' }).first()).toBeFocused()
  await press('Tab')
  await type(MARA.password)
  await press('Enter')
  await expect(page.getByText('Account Created!')).toBeVisible()

  await page.goto(await newestLink(server, MARA))
  await expect(page.getByLabel('Password')).toBeVisible()
  await press('Tab')
  await type(MARA.password)
  await press('Enter')
  await expect(page.getByLabel('Username')).toBeFocused()
  await type('mara')
  await press('Enter')
  await expect(page.getByLabel('Monday')).toBeFocused()
  await type('300')
  for (const day of ['Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']) {
    await press('Tab')
    await expect(page.getByLabel(day)).toBeFocused()
  }
  await press('Tab', 'Tab')
  await expect(page.getByRole('button', { name: 'Save Goals' })).toBeFocused()
  await press('Space')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await expect(page.getByText('Goals set successfully')).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await press('Tab')
  await expect(page.getByRole('button', { name: 'deeb home' })).toBeFocused()
  await press('Tab')
  await expect(deebSwitch(page)).toBeFocused()
  await press('Space')
  await expect(deebSwitch(page)).toBeChecked()
  await expect(page.getByRole('timer')).toBeVisible()
  await press('Enter')
  await expect(deebSwitch(page)).not.toBeChecked()
  await press('Tab', 'Tab', 'Tab', 'Enter')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeFocused()
})

test('Home fits any window: the ring is 170 to 480 wide and above the navigation bar', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await deebSwitch(page).click()
  await expect(page.getByRole('timer')).toBeVisible()
  const windows = [
    [390, 844],
    [844, 390],
    [667, 375],
    [640, 400],
    [600, 900],
    [768, 1024],
    [1023, 800],
    [1024, 768],
    [1280, 600],
    [1366, 625],
    [1920, 1080],
  ] as const
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height })
    const ring = await page.getByRole('img', { name: /today/ }).boundingBox()
    const clock = await page.getByRole('timer').boundingBox()
    const bar = await page.getByRole('navigation', { name: 'Main' }).boundingBox()
    if (!ring || !clock || !bar) throw new Error('Something is missing on Home.')
    expect(ring.width, `${width} x ${height}`).toBeGreaterThanOrEqual(170)
    expect(ring.width, `${width} x ${height}`).toBeLessThanOrEqual(width < 1024 ? 432 : 480)
    expect(ring.y + ring.height, `${width} x ${height}`).toBeLessThanOrEqual(bar.y)
    expect(clock.y + clock.height, `${width} x ${height}`).toBeLessThanOrEqual(bar.y)
  }
})

test('no screen scrolls horizontally at 320 pixels or 200 % zoom', async ({ page, server }) => {
  const narrow = { width: 320, height: 568 }
  await page.setViewportSize(narrow)
  for (const path of ['/nowhere', '/app', '/app/signup', '/app/confirm', '/app/sso#error_code=access_denied']) {
    await page.goto(server.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoSidewaysScroll(page)
  }
  await becomeUser(page, server, { ...MARA, username: 'a'.repeat(40) })
  await expectNoSidewaysScroll(page)
  await switchDeeb(page, 'on')
  await expect(page.getByRole('timer')).toBeInViewport()
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByText(MARA.email)).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.getByRole('link', { name: 'Sign-in' }).click()
  await expect(page.getByText('this browser')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Back to Settings' }).click()
  await page.getByRole('button', { name: 'deeb home' }).click()
  await switchDeeb(page, 'off')
  await visitPersonalScreens(page, () => expectNoSidewaysScroll(page))
})
