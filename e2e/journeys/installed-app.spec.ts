import { expect, type Page } from '@playwright/test'
import { becomeUser, deebSwitch, expectClean, MARA, switchDeeb, test } from '../test.ts'

/** The URL of the shortcut "Switch on" in the manifest. */
async function shortcutUrl(page: Page, origin: string): Promise<string> {
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const { shortcuts } = await (await page.request.get(origin + href)).json()
  expect(shortcuts).toMatchObject([{ name: 'Switch on' }])
  return origin + shortcuts[0].url
}

/** The second click of a double click on the page before: it lands on a button when that has just appeared. */
function clickAsSoonAsShown(page: Page, name: string): Promise<unknown> {
  return page.addInitScript((name) => {
    const observer = new MutationObserver(() => {
      const button = [...document.querySelectorAll('dialog button')].find(({ textContent }) => textContent === name)
      if (!(button instanceof HTMLElement)) return
      button.click()
      observer.disconnect()
    })
    observer.observe(document, { childList: true, subtree: true })
  }, name)
}

test('threat 204: the shortcut of the icon asks before it switches on, since a link could open it too', {
  tag: '@heavy',
}, async ({ page, server }) => {
  const call = await becomeUser(page, server, MARA)
  const url = await shortcutUrl(page, server.url)
  await page.goto('about:blank')
  await clickAsSoonAsShown(page, 'Switch on')
  await page.goto(url)
  const offer = page.getByRole('dialog', { name: 'Switch on deeb mode?' })
  const press = offer.getByRole('button', { name: 'Switch on' })
  await expect(offer).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/app/home`)
  // A key that is held down, and a click that was meant for another page, switch nothing.
  await expect(offer.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(press).not.toHaveAttribute('aria-disabled')
  await expectClean(page)
  expect((await call('GET', '/api/home?timeZone=UTC')).openSession).toBeNull()
  await page.reload()
  await expect(deebSwitch(page)).toBeEnabled()
  await expect(offer).toHaveCount(0)

  // The app is open already.
  await page.goto(url)
  await expect(press).not.toHaveAttribute('aria-disabled')
  await press.dblclick()
  await expect(offer).toHaveCount(0)
  await expect(deebSwitch(page)).toBeChecked()
  await expect.poll(async () => (await call('GET', '/api/home?timeZone=UTC')).openSession).not.toBeNull()
  await page.goto(url)
  await expect(page).toHaveURL(`${server.url}/app/home`)
  await expect(offer).toHaveCount(0)
})

test('the icon has a dot in deeb mode', async ({ page, server }) => {
  await page.addInitScript(() => {
    const badges: unknown[] = []
    Object.assign(window, { badges })
    navigator.setAppBadge = async (count) => void badges.push(count ?? 'dot')
  })
  const badges = () => page.evaluate(() => (window as never as { badges: unknown[] }).badges)
  await becomeUser(page, server, MARA)
  await expect.poll(badges).toEqual([0])
  await switchDeeb(page, 'on')
  await expect.poll(badges).toEqual([0, 'dot'])
  await switchDeeb(page, 'off')
  await expect.poll(badges).toEqual([0, 'dot', 0])
})

test('the ring stays on top in a small window, on every screen, until deeb mode ends', { tag: '@heavy' }, async ({
  page,
  context,
  server,
}) => {
  await becomeUser(page, server, MARA)
  await expect(page.getByRole('button', { name: 'keep on top' })).toHaveCount(0)
  await switchDeeb(page, 'on')
  await server.travel(65)
  await page.reload()
  const opening = context.waitForEvent('page')
  await page.getByRole('button', { name: 'keep on top' }).click()
  const small = await opening
  await expect(small.getByRole('img', { name: '1 hour 5 minutes today' })).toBeVisible()
  const clock = small.getByRole('timer', { name: 'This session' })
  const before = await clock.textContent()
  await expect(clock).not.toHaveText(before ?? '')
  expect(await small.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe('rgb(0, 0, 0)')
  await expect(page.getByRole('button', { name: 'keep on top' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Team' }).click()
  await expect(page.getByRole('heading', { name: 'Team' })).toBeVisible()
  await expect(clock).toBeVisible()

  const closing = small.waitForEvent('close')
  await deebSwitch(page).click()
  await closing
  await page.getByRole('button', { name: 'deeb home' }).click()
  await expect(page.getByRole('button', { name: 'keep on top' })).toHaveCount(0)
})
