import { expect, type Page } from '@playwright/test'
import { becomeMara, openScreen, SCREENS } from '../every-screen.ts'
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
async function visitPersonalScreens(page: Page, check: () => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Profile', exact: true }).click()
  await expect(page.getByRole('list', { name: 'This week' })).toBeVisible()
  await check()
  await page.getByRole('button', { name: 'Adjust Daily Goals' }).click()
  await page.getByRole('button', { name: 'We 1h 0m' }).click()
  await expect(page.getByRole('listbox', { name: 'Hours' })).toBeVisible()
  await page.getByRole('listbox', { name: 'Hours' }).press('ArrowDown')
  await expect(page.getByText('Not saved yet.')).toBeVisible()
  await check()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('button', { name: 'Back to Profile' }).click()
  await page.getByRole('link', { name: 'Edit sessions' }).click()
  await page.getByRole('button', { name: /under a minute$/ }).click()
  await page.getByRole('button', { name: /\d+s$/ }).first().click()
  await check()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).hover()
  await check()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Add a session' }).click()
  await page.getByLabel('Start').fill('')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Enter the start time.')).toBeVisible()
  await check()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Back to Profile' }).click()
}

test('axe finds no violation on the team screen: empty, search, request sent, request received', {
  tag: '@heavy',
}, async ({ newDevice, page, server }) => {
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
  await expect(ada.getByText('1 in deeb mode')).toBeVisible()
  await expectClean(ada)
  await ada.getByRole('button', { name: /^Mara Lind/ }).click()
  await expectClean(ada)
  await ada.getByRole('button', { name: 'Quit Connection' }).click()
  await expect(ada.getByRole('dialog', { name: 'Quit connection with Mara?' })).toBeVisible()
  await expectClean(ada)
  await ada.keyboard.press('Escape')
  await ada.keyboard.press('Escape')
  await ada.getByRole('button', { name: 'List' }).click()
  await expectClean(ada)
  await switchDeeb(ada, 'on')
  await expectClean(ada)
  await ada.setViewportSize({ width: 320, height: 568 })
  await expectNoSidewaysScroll(ada)
  const leftOf = async (text: string) => (await ada.getByText(text, { exact: true }).locator('..').boundingBox())?.x
  expect(await leftOf('In deeb mode')).toBe(await leftOf('Mara Lind'))
})

test('axe finds no violation on the personal screens, light or in focus mode', { tag: '@heavy' }, async ({
  page,
  server,
}) => {
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
  await press('Tab', 'Tab')
  await expect(page.getByRole('button', { name: 'Adjust Daily Goals' })).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('heading', { name: 'Goal Settings' })).toBeFocused()
  await press('Tab', 'Enter', 'Tab')
  await expect(page.getByRole('listbox', { name: 'Hours' })).toBeFocused()
  await press('ArrowDown', 'Tab', 'PageDown')
  await expect(page.getByRole('button', { name: 'Mo 2h 25m' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save Goals' })).toBeEnabled()
  // The two actions of the row, six other days, and the button to discard.
  for (let stop = 0; stop < 10; stop++) await press('Tab')
  await expect(page.getByRole('button', { name: 'Save Goals' })).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeFocused()
  await press('Tab', 'Tab', 'Tab', 'Tab')
  await expect(page.getByRole('link', { name: 'Edit sessions' })).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('heading', { name: 'Edit sessions' })).toBeFocused()
  await expect(page.getByRole('button', { name: '1 session under a minute' })).toBeVisible()
  await press('Tab', 'Tab', 'Enter', 'Tab', 'Enter', 'Tab')
  await expect(page.getByLabel('Start')).toBeFocused()
})

test('keyboard only: sign up, confirm, onboard and switch', { tag: '@heavy' }, async ({ page, server }) => {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const type = (text: string) => page.keyboard.type(text)
  await page.goto(`${server.url}/app/signup`)
  await expect(page.getByLabel('Email')).toBeFocused()
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
  await expect(page.getByRole('button', { name: 'Confirm' })).toBeVisible()
  await press('Tab', 'Enter')
  await expect(page.getByLabel('Username')).toBeFocused()
  await press('ControlOrMeta+A')
  await type('mara')
  await press('Enter')
  await expect(page.getByLabel('Every day')).toBeFocused()
  await type('300')
  await press('Tab', 'Enter')
  await expect(page.getByLabel('Monday')).toBeFocused()
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

test('Home fits any window: the ring is 170 to 600 wide and above the navigation bar', async ({ page, server }) => {
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
    expect(ring.width, `${width} x ${height}`).toBeLessThanOrEqual(width < 1024 ? 432 : width < 1920 ? 480 : 600)
    expect(ring.y + ring.height, `${width} x ${height}`).toBeLessThanOrEqual(bar.y)
    expect(clock.y + clock.height, `${width} x ${height}`).toBeLessThanOrEqual(bar.y)
  }
})

/** Where a screen's content begins at the side, and the header above it. */
function startOfContent(page: Page): Promise<number[]> {
  return page
    .locator('header > div, main')
    .evaluateAll((parts) =>
      parts.map((part) => part.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(part).paddingLeft)),
    )
}

/** The part of the window that stays covered while the screen scrolls, 0 to 1. */
function coveredPart(page: Page): Promise<number> {
  return page.evaluate(() => {
    const isCovering = (element: Element) => /fixed|sticky/.test(getComputedStyle(element).position)
    const covering = [...document.querySelectorAll('#root *')].filter((element) => isCovering(element))
    const area = covering
      .map((element) => element.clientWidth * element.clientHeight)
      .reduce((sum, one) => sum + one, 0)
    return area / (innerWidth * innerHeight)
  })
}

test('every screen begins below its header on a desktop, and is not covered at 400 % zoom', { tag: '@heavy' }, async ({
  browser,
  page,
  server,
}) => {
  await becomeMara(page, browser, server, 'en')
  for (const path of SCREENS) {
    await page.setViewportSize({ width: 1920, height: 1080 })
    await openScreen(page, server, path)
    const [header, main] = await startOfContent(page)
    expect(main, path).toBeCloseTo(header ?? 0, 0)
    // A window of 1280 by 1024 pixels.
    await page.setViewportSize({ width: 320, height: 256 })
    await expectNoSidewaysScroll(page)
    expect(await coveredPart(page), path).toBeLessThan(0.25)
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

const PUBLIC = ['/', '/companiesLP4358', '/teamsLP678', '/coming-soon', '/waitlist', '/nowhere', '/app', '/app/signup']
/** WCAG 2.5.8: the visible controls that are under 24 pixels wide or high. */
async function tooSmall(page: Page): Promise<string[]> {
  return page.locator('a, button, input, summary, [role=listbox]').evaluateAll((targets) =>
    targets
      .filter((target) => target.checkVisibility() && !target.closest('[inert], .sr-only, .skip-link'))
      .map((target) => (target.matches('[type=radio], [type=checkbox]') ? (target.closest('label') ?? target) : target))
      .filter((target) => {
        const { width, height } = target.getBoundingClientRect()
        return width < 24 || height < 24
      })
      .map((target) => target.outerHTML),
  )
}

/** WCAG 2.4.11: the elements that Tab reaches while others cover them entirely. Fails on fewer stops than `least`. */
async function hiddenWithFocus(page: Page, least: number): Promise<string[]> {
  const stops = new Set<string>()
  const hidden: string[] = []
  for (;;) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate(() => {
      const focused = document.activeElement
      if (!focused || focused === document.body) return null
      // The label is what is visible of a hidden radio button.
      const target = focused.matches('.sr-only') ? (focused.closest('label') ?? focused) : focused
      const { left, top, width, height } = target.getBoundingClientRect()
      const isVisibleAt = (x: number, y: number) => {
        const shown = document.elementFromPoint(left + width * x, top + height * y)
        return shown !== null && target.contains(shown)
      }
      const parts = [0.1, 0.3, 0.5, 0.7, 0.9]
      return { html: focused.outerHTML, isVisible: parts.some((x) => parts.some((y) => isVisibleAt(x, y))) }
    })
    if (stop === null || stops.has(stop.html)) break
    stops.add(stop.html)
    if (!stop.isVisible) hidden.push(stop.html)
  }
  expect(stops.size, page.url()).toBeGreaterThanOrEqual(least)
  return hidden
}

/** WCAG 1.4.12: the texts that are cut off or outside the window with the widest spacing that a reader may set. */
async function cutWithSpacing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    const spacing = 'line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important'
    sheet.replaceSync(`* { ${spacing} } p { margin-bottom: 2em !important }`)
    document.adoptedStyleSheets = [sheet]
    const clips = (element: Element) => /hidden|clip/.test(getComputedStyle(element).overflow)
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const cut: string[] = []
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const parent = text.parentElement
      if (!text.textContent?.trim() || !parent?.checkVisibility() || parent.closest('.sr-only, svg, [inert]')) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      const { left, right, bottom, width } = range.getBoundingClientRect()
      const boxes: { left: number; right: number; bottom: number }[] = [
        { left: 0, right: innerWidth, bottom: Number.POSITIVE_INFINITY },
      ]
      for (let box: Element | null = parent; box && box !== document.body; box = box.parentElement)
        if (clips(box)) boxes.push(box.getBoundingClientRect())
      const isCut = boxes.some((box) => left < box.left - 1 || right > box.right + 1 || bottom > box.bottom + 2)
      if (width > 0 && isCut) cut.push(text.textContent)
    }
    document.adoptedStyleSheets = []
    return cut
  })
}

test('at 320 pixels every target is 24 pixels, no focus is hidden, and wide text spacing cuts nothing', {
  tag: '@heavy',
}, async ({ page, server }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 320, height: 568 })
  async function measure(path: string, least: number): Promise<void> {
    expect(await tooSmall(page), path).toEqual([])
    expect(await hiddenWithFocus(page, least), path).toEqual([])
    expect(await cutWithSpacing(page), path).toEqual([])
  }
  for (const path of PUBLIC) {
    await page.goto(server.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await measure(path, 1)
  }
  const call = await becomeUser(page, server, MARA)
  await call('POST', '/api/circles', { name: 'Quiet hours' })
  for (const path of SCREENS) {
    await openScreen(page, server, path)
    await measure(path, 4)
  }
})
