import { createServer } from 'node:http'
import { expect, type Page } from '@playwright/test'
import { freePort } from '../../server/src/testing/free-port.ts'
import { admin } from '../admin.ts'
import { TestServer } from '../server.ts'
import { test } from '../test.ts'

const PAGES = ['/', '/companiesLP4358', '/teamsLP678', '/coming-soon', '/waitlist']

/** Every button with counted clicks: its text, its index among buttons with that text, and the row that it stores. */
const TRACKED = [
  { on: '/', says: 'tell your company about deeb', to: '/companiesLP4358', row: 'tell_company\thomepage' },
  { on: '/companiesLP4358', says: 'book a demo', to: '/coming-soon?for=demo', row: 'book_demo\temployers' },
  {
    on: '/companiesLP4358',
    says: 'download info sheet',
    to: '/coming-soon?for=info_sheet',
    row: 'download_info_sheet\temployers',
  },
  {
    on: '/companiesLP4358',
    says: 'see the platform in action',
    to: '/coming-soon?for=demo',
    row: 'see_platform_in_action\temployers',
  },
  { on: '/companiesLP4358', says: 'estimate your roi', to: '/coming-soon?for=sales', row: 'estimate_roi\temployers' },
  {
    on: '/companiesLP4358',
    says: 'start a free pilot',
    to: '/coming-soon?for=pilot',
    row: 'start_free_pilot\temployers',
  },
  {
    on: '/companiesLP4358',
    says: 'book a demo',
    nth: 1,
    to: '/coming-soon?for=demo',
    row: 'book_demo_footer\temployers',
  },
  { on: '/companiesLP4358', says: 'contact sales', to: '/coming-soon?for=sales', row: 'contact_sales\temployers' },
  {
    on: '/companiesLP4358',
    says: 'subscribe',
    to: '/coming-soon?for=newsletter',
    row: 'newsletter_subscribe\temployers',
  },
]

/** Links whose clicks are not counted. */
const UNTRACKED = [
  { on: '/', says: 'for companies', to: '/companiesLP4358' },
  { on: '/', says: 'for teams', to: '/teamsLP678' },
  { on: '/', says: 'get started', to: '/app/signup' },
  { on: '/', says: 'get started', nth: 1, to: '/app/signup' },
  { on: '/', says: 'subscribe', to: '/coming-soon?for=newsletter' },
  { on: '/', says: 'about deeb', to: '/coming-soon' },
  { on: '/', says: 'privacy', to: '/privacy' },
  { on: '/', says: 'sign in', to: '/app' },
  { on: '/', says: 'sign in', nth: 1, to: '/app' },
  { on: '/companiesLP4358', says: 'deeb', to: '/' },
  { on: '/companiesLP4358', says: 'contact sales', nth: 1, to: '/coming-soon?for=sales' },
  { on: '/teamsLP678', says: 'start with your team', to: '/app/signup' },
  { on: '/teamsLP678', says: 'join the waitlist', nth: 1, to: '/waitlist' },
  { on: '/coming-soon', says: 'deeb', to: '/' },
]

async function follow(page: Page, origin: string, { on, says, nth = 0, to }: (typeof TRACKED)[number]): Promise<void> {
  await page.goto(origin + on)
  await page.getByRole('link', { name: says, exact: true }).nth(nth).click()
  await expect(page).toHaveURL(origin + to)
}

/** The stored clicks, from the admin command. The command needs a stopped server. */
async function storedClicks(server: TestServer): Promise<string[][]> {
  await server.stop()
  const { text } = await admin(server, 'visitors', 'clicks')
  await server.start()
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'))
}

test('every button leads to its page, and counted ones send the client version and store a row', {
  tag: '@heavy',
}, async ({ page, server }) => {
  const sent = page.waitForRequest('**/api/clicks')
  for (const button of TRACKED) await follow(page, server.url, button)
  expect((await sent).headers()['x-client-info']).toMatch(/^deeb-web\/\d+\.\d+\.\d+$/)
  // The last counted click has arrived before this.
  for (const link of UNTRACKED) await follow(page, server.url, { ...link, row: '' })

  const rows = async () => (await storedClicks(server)).map((cells) => cells.slice(0, 2).join('\t')).sort()
  await expect.poll(rows).toEqual(TRACKED.map(({ row }) => row).sort())
  const labels = (await storedClicks(server)).map(([, , label]) => label)
  expect(new Set(labels).size).toBe(TRACKED.length)
  for (const label of labels) expect(label).toMatch(/^[0-9a-z]{5,}$/)
})

test('with DEMO_URL, the platform in action is on another site, and the click is counted', { tag: '@heavy' }, async ({
  page,
  watch: _,
}) => {
  const port = await freePort()
  const demo = createServer((_request, response) => response.end('the demo')).listen(port, '127.0.0.1')
  const DEMO_URL = `http://127.0.0.1:${port}/look?at=deeb&by=link`
  const server = await TestServer.fresh(undefined, { env: { DEMO_URL } })
  try {
    await page.goto(`${server.url}/companiesLP4358`)
    await page.getByRole('link', { name: 'see the platform in action' }).click()
    await expect(page.getByText('the demo')).toBeVisible()
    await expect(page).toHaveURL(DEMO_URL)
    const buttons = async () => (await storedClicks(server)).map(([button]) => button)
    await expect.poll(buttons).toEqual(['see_platform_in_action'])
  } finally {
    demo.close()
    await server.dispose()
  }
})

test('the header shows the ways to sign in and to sign up at every width, and the first window of the home page its button', {
  tag: '@heavy',
}, async ({ page, server }) => {
  const inHeader = (name: string) => page.getByRole('banner').getByRole('link', { name })
  for (const path of ['/', '/companiesLP4358', '/teamsLP678', '/nowhere']) {
    await page.goto(server.url + path)
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 568 })
      for (const name of ['sign in', 'get started']) {
        await expect(inHeader(name), `${path} at ${width}`).toBeInViewport({ ratio: 1 })
      }
    }
  }
  await page.goto(server.url)
  for (const [width, height] of [
    [320, 568],
    [390, 664],
    [390, 844],
    [1280, 800],
    [1366, 650],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height })
    const button = page.getByRole('main').getByRole('link', { name: 'get started' }).first()
    await expect(button, `${width} x ${height}`).toBeInViewport({ ratio: 1 })
  }
})

test.describe('a click that cannot be counted', () => {
  const button = (page: Page) => page.getByRole('link', { name: 'book a demo' }).first()

  test('shows an error if the visitor is still on the page, for the middle button too, and not for the right one', {
    tag: '@heavy',
  }, async ({ page, server }) => {
    const alert = page.getByRole('alert')
    await page.goto(`${server.url}/companiesLP4358`)
    await page.route('**/api/clicks', (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', message: 'The server is away.', requestId: 'x' } }),
    )
    await button(page).click({ modifiers: ['ControlOrMeta'] })
    await expect(alert).toContainText('Tracking Failed')
    await expect(alert).toContainText('Could not save click data: The server is away.')
    await page.unroute('**/api/clicks')

    await page.goto(`${server.url}/companiesLP4358`)
    let sent = 0
    await page.route('**/api/clicks', (route) => {
      sent += 1
      return route.abort()
    })
    // It only opens a menu.
    await button(page).click({ button: 'right' })
    await button(page).click({ button: 'middle' })
    // The server gives no text.
    await expect(alert).toContainText('Tracking Exception')
    await expect(alert).toContainText('You can go on as usual.')
    expect(sent).toBe(1)
  })

  test('causes no error in a browser without storage', { tag: '@heavy' }, async ({ page, server }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'sessionStorage', {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
    })
    await page.route('**/api/clicks', (route) => route.abort())
    await page.goto(`${server.url}/companiesLP4358`)
    const failed = page.waitForEvent('requestfailed')
    await page.evaluate(() => addEventListener('click', () => dispatchEvent(new PageTransitionEvent('pagehide'))))
    await button(page).click()
    await failed
    await expect(page).toHaveURL(`${server.url}/coming-soon?for=demo`)
  })

  test('shows the error once on the next page after a navigation', { tag: '@heavy' }, async ({ page, server }) => {
    await page.goto(`${server.url}/companiesLP4358`)
    await page.route('**/api/clicks', (route) => route.abort())
    const failed = page.waitForEvent('requestfailed')
    // The click dispatches pagehide without a navigation, so the failure arrives while the page is being left.
    await page.evaluate(() => {
      addEventListener('click', (event) => {
        event.preventDefault()
        dispatchEvent(new PageTransitionEvent('pagehide'))
      })
    })
    await button(page).click()
    await failed
    await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBe(1)
    await expect(page.getByText('Tracking Exception')).toHaveCount(0)

    await page.goto(`${server.url}/coming-soon`)
    await expect(page.getByRole('alert')).toContainText('Tracking Exception')
    await page.goto(server.url)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('Tracking Exception')).toHaveCount(0)
  })
})

test('in a native app the public pages lead to the app, also if Capacitor reports it, and stay in a browser', {
  tag: '@heavy',
}, async ({ page, newDevice, server }) => {
  await page.addInitScript(() => Object.assign(window, { Capacitor: { isNativePlatform: () => false } }))
  await page.goto(server.url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName('work deep. show focus.')
  await page.addInitScript(() => Object.assign(window, { Capacitor: { isNativePlatform: () => true } }))
  await page.goto(server.url, { waitUntil: 'commit' })
  await expect(page).toHaveURL(`${server.url}/app`)

  const phone = await newDevice()
  await phone.addInitScript(() => {
    Object.assign(window, { CapacitorCustomPlatform: { name: 'ios', plugins: {} } })
  })
  for (const path of [...PAGES, '/nowhere']) {
    await phone.goto(server.url + path, { waitUntil: 'commit' })
    await expect(phone).toHaveURL(`${server.url}/app`)
  }
})
