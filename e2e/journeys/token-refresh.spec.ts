import { expect, type Page } from '@playwright/test'
import { becomeUser, deebSwitch, MARA, switchDeeb, test } from '../test.ts'

const KEY = 'deeb.auth.token'

/** Changes how long the stored access token counts. The page is one without the app, so that nothing else writes it. */
async function storeSecondsLeft(page: Page, url: string, seconds: number): Promise<void> {
  await page.goto(`${url}/robots.txt`)
  await page.evaluate(
    ([key, left]) => {
      const tokens = JSON.parse(localStorage.getItem(key) ?? '{}')
      localStorage.setItem(key, JSON.stringify({ ...tokens, expires_at: Math.floor(Date.now() / 1000) + left }))
    },
    [KEY, seconds] as const,
  )
}

const accessToken = (page: Page): Promise<string> =>
  page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? '{}').access_token, KEY)

test('with a minute left the token is refreshed first: one refresh, and nothing is sent with the old one', async ({
  page,
  server,
}) => {
  await becomeUser(page, server, MARA)
  await storeSecondsLeft(page, server.url, 60)
  const old = await accessToken(page)
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!/^\/(api|auth)\//.test(pathname)) return
    const isOld = request.headers().authorization === `Bearer ${old}`
    calls.push(`${pathname}${isOld ? ' with the old token' : ''}`)
  })
  const follows = page.waitForResponse('**/api/live')
  await page.goto(`${server.url}/app/home`)
  await expect(deebSwitch(page)).toBeEnabled()
  await follows
  expect(calls.filter((call) => call.endsWith('old token'))).toEqual([])
  expect(calls.slice(0, 2)).toEqual(['/auth/v1/token', '/api/home'])
  expect(calls.filter((call) => call === '/auth/v1/token')).toHaveLength(1)
  expect(await accessToken(page)).not.toBe(old)
})

test('two tabs that refresh their token in the same moment both stay signed in', async ({ page, context, server }) => {
  await becomeUser(page, server, MARA)
  const other = await context.newPage()
  const tabs = [page, other]
  for (const tab of tabs) await tab.goto(`${server.url}/robots.txt`)

  /** Both open Home with a token that has expired, and none is answered before both have asked. */
  async function refreshTogether(): Promise<void> {
    await storeSecondsLeft(page, server.url, -1)
    let asked = 0
    let bothHaveAsked = () => {}
    const both = new Promise<void>((resolve) => {
      bothHaveAsked = resolve
    })
    const used: unknown[] = []
    await context.route('**/auth/v1/token?*', async (route) => {
      used.push(route.request().postDataJSON().refresh_token)
      asked += 1
      if (asked === 2) bothHaveAsked()
      await both
      await route.continue()
    })
    await Promise.all(tabs.map((tab) => tab.goto(`${server.url}/app/home`)))
    for (const tab of tabs) await expect(tab.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
    for (const tab of tabs) await expect(deebSwitch(tab)).toBeEnabled()
    // A request that failed is repeated.
    expect(used.slice(0, 2)).toEqual([used[0], used[0]])
    await context.unroute('**/auth/v1/token?*')
  }
  await refreshTogether()
  await switchDeeb(page, 'on')
  await switchDeeb(other, 'off')
  // The token that was stored last is not the one that the server has revoked.
  await refreshTogether()
  await switchDeeb(other, 'on')
  for (const tab of tabs) await expect(tab.getByText('Your session has ended.')).toHaveCount(0)
})
