import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { becomeUser, deebSwitch, expectClean, MARA, makeAccount, readQrCode, signIn, test } from '../test.ts'

const JONAS = { email: 'jonas.holm@fjordlab.example', password: 'calm-heron-52', username: 'jonas' }
const offer = (page: Page, to: 'on' | 'off') => page.getByRole('dialog', { name: `Switch ${to} deeb mode?` })
const isOn = async (call: (method: 'GET', path: string) => Promise<{ openSession: object | null }>) =>
  (await call('GET', '/api/focus')).openSession !== null

/** A page of another origin, with a link to `target`, and one to a redirect to it. */
async function serveOtherSite(target: string): Promise<{ url: string; close: () => void }> {
  const other = createServer(({ url }, response) => {
    if (url === '/redirect') return response.writeHead(302, { location: target }).end()
    response.setHeader('content-type', 'text/html')
    response.end(`<a href="${target}">link</a><a href="/redirect">redirect</a>`)
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => other.close() }
}

test('a printed code switches, and a press undoes it', async ({ page, server }) => {
  const call = await becomeUser(page, server, MARA)
  await page.goto(`${server.url}/app/settings/show`)
  await page.getByRole('link', { name: /Your case/ }).click()
  await page.getByRole('button', { name: 'Make a code' }).click()
  await expect(page.getByText('Scan: deeb mode on. Scan again: off.')).toBeVisible()
  await expectClean(page)
  const link = await readQrCode(page)
  expect(link).toMatch(new RegExp(`^${server.url}/t#[\\w-]{22}$`))
  await page.getByRole('button', { name: 'Done' }).click()
  await expectClean(page)

  await page.goto(link)
  await expect(deebSwitch(page)).toBeChecked()
  await expect(page).toHaveURL(`${server.url}/app/home`)
  await expect.poll(() => isOn(call)).toBe(true)
  await page.evaluate(() => localStorage.removeItem('deeb.tapped-at'))
  await page.goto('about:blank')
  await page.goto(link)
  await expect(deebSwitch(page)).not.toBeChecked()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(deebSwitch(page)).toBeChecked()
  await page.reload()
  await expect(deebSwitch(page)).toBeChecked()

  await page.goto(`${server.url}/app/settings/case`)
  await page.getByRole('button', { name: /^Revoke the code/ }).click()
  await page.getByRole('button', { name: 'Revoke code' }).click()
  await expect(page.getByRole('button', { name: /^Revoke the code/ })).toHaveCount(0)
  await page.evaluate(() => localStorage.removeItem('deeb.tapped-at'))
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByText('This code is not yours, or no longer works. Nothing has changed.')).toBeVisible()
  await expect(deebSwitch(page)).toBeChecked()
})

test('threat 278: opened from a link, a redirect, a frame or a prefetch, or after a sign-in, a code asks or does nothing', {
  tag: '@heavy',
}, async ({ page, newDevice, server }) => {
  const call = await becomeUser(page, server, MARA)
  const { code } = await call('POST', '/api/cases', {})
  const link = `${server.url}/t#${code}`
  const other = await serveOtherSite(link)
  const tapAgain = () => page.evaluate(() => localStorage.removeItem('deeb.tapped-at'))
  for (const way of ['link', 'redirect']) {
    await page.goto(other.url)
    await page.getByRole('link', { name: way }).click()
    await expect(offer(page, 'on')).toBeVisible()
    await expectClean(page)
    await tapAgain()
  }
  const prefetched = await page.request.get(`${server.url}/t`, {
    headers: { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch;prerender' },
  })
  expect(await prefetched.text()).not.toContain('data-opened')
  expect(prefetched.headers()['cache-control']).toBe('no-store')
  expect(prefetched.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
  other.close()
  expect(await isOn(call)).toBe(false)

  // Not signed in: first the sign-in, then the page asks.
  const phone = await newDevice()
  await phone.goto(link)
  await signIn(phone, MARA)
  await offer(phone, 'on').getByRole('button', { name: 'Switch on' }).click()
  await expect(deebSwitch(phone)).toBeChecked()
  await expect.poll(() => isOn(call)).toBe(true)

  // Somebody else with the code.
  const thief = await newDevice()
  await makeAccount(thief.request, server, JONAS)
  await thief.goto(link)
  await signIn(thief, JONAS)
  await expect(thief.getByText('This code is not yours, or no longer works. Nothing has changed.')).toBeVisible()
  expect(await isOn(call)).toBe(true)
})

test('offline a tap asks, and its press is sent when the network returns', { tag: '@heavy' }, async ({
  page,
  server,
}) => {
  const call = await becomeUser(page, server, MARA)
  const { code } = await call('POST', '/api/cases', {})
  await page.goto('about:blank')
  // The network is gone with the tap: nothing can be loaded any more.
  await page.route('**/api/cases/tap', async (route) => {
    await page.context().setOffline(true)
    await route.abort()
  })
  await page.goto(`${server.url}/t#${code}`)
  await expect(offer(page, 'on')).toBeVisible()
  await offer(page, 'on').getByRole('button', { name: 'Switch on' }).click()
  await expect(deebSwitch(page)).toBeChecked()
  expect(await isOn(call)).toBe(false)
  await page.context().setOffline(false)
  await expect.poll(() => isOn(call)).toBe(true)
})
