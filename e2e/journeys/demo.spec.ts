import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { freePort } from '../../server/src/testing/free-port.ts'
import { killAtExit } from '../../server/src/testing/kill-at-exit.ts'
import { expectClean, signIn, test } from '../test.ts'

const DEMO = fileURLToPath(new URL('../../server/dist/demo/main.js', import.meta.url))

/** The page of the company as HTML, with `Count me in` off: all that two colleagues read there. */
async function companyPage(page: Page): Promise<string> {
  const main = page.getByRole('main')
  await main.getByText('people use deeb.').waitFor()
  await main.getByRole('switch', { name: 'Count me in' }).uncheck()
  await expect(main.getByRole('switch', { name: 'Count me in' })).toBeEnabled()
  // React numbers ids in the order in which parts of the page were loaded.
  const ids: string[] = []
  return (await main.innerHTML()).replaceAll(/_r_\w+?_/g, (id) => {
    if (!ids.includes(id)) ids.push(id)
    return `id ${ids.indexOf(id)}`
  })
}

test('the demo opens with one click, with weeks of history, colleagues who switch and one report for everybody', {
  tag: '@heavy',
}, async ({ page, browser }) => {
  const PORT = `${await freePort()}`
  const env = { PATH: process.env.PATH, PORT }
  const demo = killAtExit(spawn(process.execPath, [DEMO], { env, stdio: ['ignore', 'pipe', 'inherit'] }))
  const ended = once(demo, 'exit')
  let address = ''
  for await (const line of createInterface(demo.stdout)) {
    address = /The demo runs at (\S+)/.exec(line)?.[1] ?? ''
    if (address) break
  }

  try {
    await page.goto(new URL('/companiesLP4358', address).href)
    await page.getByRole('link', { name: 'see the platform in action' }).click()
    await expect(page).toHaveURL(address)
    const received = page.waitForResponse('**/demo/person')
    await page.getByRole('button', { name: 'Sign in as Mara Lind' }).click()
    const { email, password } = await (await received).json()
    await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
    await expect(page.getByText('Ada Novak is free')).toBeVisible({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Profile' }).click()
    const average = page.getByRole('figure').filter({ hasText: 'Your Average/Week' }).getByRole('img')
    await expect(average).toHaveAccessibleName(/^[1-9]\d? hours/)
    await page.reload()
    await expect(average).toHaveAccessibleName(/^[1-9]\d? hours/)

    await page.getByRole('link', { name: 'Your company' }).click()
    await expect(page.getByRole('list', { name: 'Time of day' })).toBeVisible()
    await expectClean(page)
    const other = await browser.newPage()
    await other.goto(new URL('/app', address).href)
    await signIn(other, { email: email.replace('mara.lind', 'ada.novak'), password, username: '' })
    await other.getByRole('button', { name: 'Profile' }).click()
    await other.getByRole('link', { name: 'Your company' }).click()
    expect(await companyPage(other)).toBe(await companyPage(page))

    await page.getByRole('button', { name: 'Team' }).click()
    const members = page.getByRole('list', { name: 'Team members' })
    // Every few seconds a random colleague switches.
    await expect(members.getByText('In deeb mode').first()).toBeVisible({ timeout: 60_000 })
    await expect(page.getByRole('button', { name: 'Connection Requests, 3' })).toBeVisible()
    const before = await members.innerText()
    await expect.poll(() => members.innerText(), { timeout: 40_000 }).not.toBe(before)
  } finally {
    demo.kill('SIGTERM')
  }
  expect(await ended).toEqual([0, null])
})
