import { expect, type Page } from '@playwright/test'
import { deeb } from '../operator.ts'
import type { TestServer } from '../server.ts'
import { test } from '../test.ts'

const PAGES = ['/', '/companiesLP4358', '/teamsLP678', '/coming-soon', '/waitlist']

/** Every button whose clicks are counted: what it says, the how-manieth of its name it is, and the row it leaves. */
const TRACKED = [
  { on: '/', says: 'tell your company about deeb', to: '/companiesLP4358', row: 'tell_company\thomepage' },
  { on: '/companiesLP4358', says: 'book a demo', to: '/coming-soon', row: 'book_demo\temployers' },
  { on: '/companiesLP4358', says: 'download info sheet', to: '/coming-soon', row: 'download_info_sheet\temployers' },
  {
    on: '/companiesLP4358',
    says: 'see the platform in action',
    to: '/coming-soon',
    row: 'see_platform_in_action\temployers',
  },
  { on: '/companiesLP4358', says: 'estimate your roi', to: '/coming-soon', row: 'estimate_roi\temployers' },
  { on: '/companiesLP4358', says: 'start a free pilot', to: '/coming-soon', row: 'start_free_pilot\temployers' },
  { on: '/companiesLP4358', says: 'book a demo', nth: 1, to: '/coming-soon', row: 'book_demo_footer\temployers' },
  { on: '/companiesLP4358', says: 'contact sales', to: '/coming-soon', row: 'contact_sales\temployers' },
  { on: '/companiesLP4358', says: 'subscribe', to: '/coming-soon', row: 'newsletter_subscribe\temployers' },
]

/** Links whose clicks are nobody's business. */
const UNTRACKED = [
  { on: '/', says: 'for companies', to: '/companiesLP4358' },
  { on: '/', says: 'for teams', to: '/teamsLP678' },
  { on: '/', says: 'subscribe', to: '/coming-soon' },
  { on: '/', says: 'privacy', to: '/coming-soon' },
  { on: '/', says: 'sign in', to: '/app' },
  { on: '/companiesLP4358', says: 'deeb', to: '/' },
  { on: '/companiesLP4358', says: 'contact sales', nth: 1, to: '/coming-soon' },
  { on: '/teamsLP678', says: 'start with your team', to: '/app/signup' },
  { on: '/teamsLP678', says: 'join the waitlist', nth: 1, to: '/waitlist' },
  { on: '/coming-soon', says: 'deeb', to: '/' },
]

async function follow(page: Page, origin: string, { on, says, nth = 0, to }: (typeof TRACKED)[number]): Promise<void> {
  await page.goto(origin + on)
  await page.getByRole('link', { name: says, exact: true }).nth(nth).click()
  await expect(page).toHaveURL(origin + to)
}

/** The clicks that are kept, by the operator's command, for which the server has to be stopped. */
async function keptClicks(server: TestServer): Promise<string[][]> {
  await server.stop()
  const { text } = await deeb(server, 'visitors', 'clicks')
  await server.start()
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'))
}

test('every button leads where it should, and the counted ones leave their row', async ({ page, server }) => {
  for (const button of TRACKED) await follow(page, server.url, button)
  // By then the last counted click has arrived as well.
  for (const link of UNTRACKED) await follow(page, server.url, { ...link, row: '' })

  const rows = async () => (await keptClicks(server)).map((cells) => cells.slice(0, 2).join('\t')).sort()
  await expect.poll(rows).toEqual(TRACKED.map(({ row }) => row).sort())
  const labels = (await keptClicks(server)).map(([, , label]) => label)
  expect(new Set(labels).size).toBe(TRACKED.length)
  for (const label of labels) expect(label).toMatch(/^[0-9a-z]{5,}$/)
})

test('a click says which program sends it', async ({ page, server }) => {
  await page.goto(server.url)
  const sent = page.waitForRequest('**/api/clicks')
  await page.getByRole('link', { name: 'tell your company about deeb' }).click()
  expect((await sent).headers()['x-client-info']).toMatch(/^deeb-web\/\d+\.\d+\.\d+$/)
})

test.describe('a click that cannot be counted', () => {
  const button = (page: Page) => page.getByRole('link', { name: 'book a demo' }).first()

  test('says so where the visitor still is', async ({ page, server }) => {
    await page.goto(`${server.url}/companiesLP4358`)
    await page.route('**/api/clicks', (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', message: 'The server is away.', requestId: 'x' } }),
    )
    await button(page).click({ modifiers: ['ControlOrMeta'] })
    await expect(page.getByRole('alert')).toContainText('Tracking Failed')
    await expect(page.getByRole('alert')).toContainText('Could not save click data: The server is away.')
  })

  test('with the middle button, too, and without a word of the server when there is none', async ({ page, server }) => {
    await page.goto(`${server.url}/companiesLP4358`)
    await page.route('**/api/clicks', (route) => route.abort())
    await button(page).click({ button: 'middle' })
    await expect(page.getByRole('alert')).toContainText('Tracking Exception')
  })

  test('says nothing of the right button, which only opens a menu', async ({ page, server }) => {
    let sent = 0
    await page.route('**/api/clicks', (route) => {
      sent += 1
      return route.abort()
    })
    await page.goto(`${server.url}/companiesLP4358`)
    await button(page).click({ button: 'right' })
    await button(page).click({ button: 'middle' })
    await expect(page.getByRole('alert')).toContainText('Tracking Exception')
    expect(sent).toBe(1)
  })

  test('is no reason to fail where a browser keeps nothing', async ({ page, server }) => {
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
    await expect(page).toHaveURL(`${server.url}/coming-soon`)
  })

  test('says so on the next page when this one has gone, and once', async ({ page, server }) => {
    await page.goto(`${server.url}/companiesLP4358`)
    await page.route('**/api/clicks', (route) => route.abort())
    const failed = page.waitForEvent('requestfailed')
    // The page is told that it goes, and learns of the failure before it is gone.
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

test('every link on every page leads somewhere', async ({ page, server }) => {
  const targets = new Set<string>()
  for (const path of [...PAGES, '/nowhere']) {
    await page.goto(server.url + path)
    const links = await page.locator('a[href], link[rel=icon], link[rel=apple-touch-icon]').all()
    for (const link of links) targets.add(new URL((await link.getAttribute('href')) ?? '', server.url).href)
  }
  for (const target of targets) {
    expect((await page.request.get(target)).status(), target).toBe(200)
    if (target.includes('#')) expect(target).toContain('#content')
  }
  expect(targets.size).toBeGreaterThan(8)
})

test('in a native app none of these pages is seen: they lead to the app', async ({ page, server }) => {
  await page.addInitScript(() => {
    Object.assign(window, { CapacitorCustomPlatform: { name: 'ios', plugins: {} } })
  })
  for (const path of [...PAGES, '/nowhere']) {
    await page.goto(server.url + path, { waitUntil: 'commit' })
    await expect(page).toHaveURL(`${server.url}/app`)
  }
})

test('nor where Capacitor itself says that it is native; in a browser it changes nothing', async ({ page, server }) => {
  await page.addInitScript(() => Object.assign(window, { Capacitor: { isNativePlatform: () => false } }))
  await page.goto(server.url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName('work deep. show focus.')
  await page.addInitScript(() => Object.assign(window, { Capacitor: { isNativePlatform: () => true } }))
  await page.goto(server.url, { waitUntil: 'commit' })
  await expect(page).toHaveURL(`${server.url}/app`)
})
