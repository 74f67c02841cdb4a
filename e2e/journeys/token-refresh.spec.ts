import { expect, type Page } from '@playwright/test'
import { becomeUser, deebSwitch, MARA, switchDeeb, test } from '../test.ts'

const KEY = 'deeb.auth.token'

/** Makes the stored access token expired, on pages without the app: nothing else writes it. */
async function expireToken(tabs: readonly Page[], url: string): Promise<void> {
  for (const tab of tabs) await tab.goto(`${url}/robots.txt`)
  await tabs[0]?.evaluate((key) => {
    const tokens = JSON.parse(localStorage.getItem(key) ?? '{}')
    localStorage.setItem(key, JSON.stringify({ ...tokens, expires_at: 1 }))
  }, KEY)
}

test('two tabs that refresh their token in the same moment both stay signed in', { tag: '@heavy' }, async ({
  page,
  context,
  server,
}) => {
  await becomeUser(page, server, MARA)
  const other = await context.newPage()
  const tabs = [page, other]

  /** Both open Home with a token that has expired, and none is answered before both have asked. */
  async function refreshTogether(): Promise<void> {
    await expireToken(tabs, server.url)
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
  await expect(deebSwitch(other)).toBeChecked()
  await switchDeeb(other, 'off')
  // The server accepts the token that was stored last.
  await refreshTogether()
  // Not what the persisted cache had.
  await expect(deebSwitch(other)).not.toBeChecked()
  await switchDeeb(other, 'on')
  for (const tab of tabs) await expect(tab.getByText('Your session has ended.')).toHaveCount(0)
})
