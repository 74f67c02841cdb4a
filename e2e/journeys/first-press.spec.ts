import { expect } from '@playwright/test'
import { becomeUser, deebSwitch, hold, MARA, test } from '../test.ts'

test('a press is sent before anything is loaded that follows the first paint', async ({ page, server }) => {
  const call = await becomeUser(page, server, MARA)
  const html = await (await page.request.get(`${server.url}/app/home`)).text()
  const first = [...html.matchAll(/\/assets\/([^"]+\.js)"/g)].map(([, name]) => name)
  const late = new RegExp(`/assets/(?!${first.join('|')}).+\\.js$`)
  await page.goto(`${server.url}/robots.txt`)
  const held = page.waitForRequest(late)
  const { release } = await hold(page, late)
  const loaded: string[] = []
  page.on('response', (response) => {
    if (late.test(response.url())) loaded.push(response.url())
  })
  await page.goto(`${server.url}/app/home`)
  await held
  await Promise.all([page.waitForResponse('**/api/focus/start'), deebSwitch(page).click()])
  await expect(deebSwitch(page)).toBeChecked()
  expect((await call('GET', '/api/home?timeZone=UTC')).openSession).not.toBeNull()
  expect(loaded).toEqual([])
  release()
})

test('the other screens are loaded after the files and the data of the first one', { tag: '@heavy' }, async ({
  page,
  server,
}) => {
  await becomeUser(page, server, MARA)
  await page.goto(`${server.url}/robots.txt`)
  await page.clock.install()
  const files = await hold(page, /\/assets\/en\/TeamScreen-.+\.js$/)
  const data = await hold(page, '**/api/team')
  const others: string[] = []
  page.on('request', (request) => {
    if (/\/assets\/en\/(Sessions|Settings)Screens?-/.test(request.url())) others.push(request.url())
  })
  /** Until what its timers load is asked for. Shorter than the time after which a call fails. */
  const wait = async () => {
    await page.clock.fastForward(5_000)
    await page.evaluate(() => fetch('/robots.txt').then(({ status }) => status))
  }
  const first = page.waitForRequest('**/assets/en/TeamScreen-*.js')
  await page.goto(`${server.url}/app/team`, { waitUntil: 'commit' })
  await first
  await wait()
  expect(others).toEqual([])
  const asked = page.waitForRequest('**/api/team')
  files.release()
  await asked
  await expect(page.getByText('Loading team data...')).toBeVisible()
  await wait()
  expect(others).toEqual([])
  data.release()
  await expect(page.getByText('No team connections yet.')).toBeVisible()
  await expect.poll(() => wait().then(() => others)).not.toEqual([])
})

for (const end of ['closed', 'reloaded'] as const) {
  test(`quick presses keep their order when the page is ${end} during their writes`, { tag: '@heavy' }, async ({
    page,
    context,
    server,
  }) => {
    const call = await becomeUser(page, server, MARA)
    const shown: string[] = []
    await context.exposeBinding('noteShown', (_, look: string) => shown.push(look))
    await page.evaluate(() => {
      const { noteShown } = window as unknown as { noteShown: (look: string) => void }
      const root = document.documentElement
      const note = () => noteShown(root.dataset.focus ?? 'off')
      new MutationObserver(note).observe(root, { attributeFilter: ['data-focus'] })
    })
    await context.route('**/api/focus/**', (route) => route.abort())
    // In one task, but each a minute after the last one: a session of no length is not saved.
    await deebSwitch(page).evaluate((control: HTMLElement) => {
      const now = Date.now
      for (let press = 0; press < 5; press++) {
        Date.now = () => now() - (5 - press) * 60_000
        control.click()
      }
      Date.now = now
    })
    await expect.poll(() => shown.length).toBeGreaterThan(0)
    if (end === 'closed') await page.close()
    else await page.goto(`${server.url}/robots.txt`)
    const seen = shown.length
    await context.unroute('**/api/focus/**')

    const next = end === 'closed' ? await context.newPage() : page
    const sent = next.waitForResponse((response) => response.url().includes('/api/focus/') && response.ok())
    await next.goto(`${server.url}/app/home`)
    await sent
    await expect(next.getByText(/changes? waiting to sync/)).toHaveCount(0)
    const { sessions, openSession } = await call('GET', '/api/sessions')
    const saved = 2 * sessions.length + (openSession ? 1 : 0)
    // What was shown is not lost, and what was not stored is at the end.
    expect(saved).toBeGreaterThanOrEqual(seen)
    expect(saved).toBeLessThanOrEqual(5)
    await expect(deebSwitch(next)).toBeChecked({ checked: saved % 2 === 1 })
  })
}
