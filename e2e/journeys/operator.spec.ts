import { expect } from '@playwright/test'
import { deeb } from '../operator.ts'
import { becomeUser, deebSwitch, fillSignUp, MARA, test } from '../test.ts'

test('the operator lets somebody in whose mail is lost, and signs devices out', async ({ page, server }) => {
  await page.goto(`${server.url}/app/signup`)
  await fillSignUp(page, MARA)
  await expect(page.getByText('Account Created!')).toBeVisible()

  const whileRunning = await deeb(server, 'user', 'confirm', MARA.email)
  expect(whileRunning.ok).toBe(false)
  expect(whileRunning.text).toContain(`Another deeb is running on ${server.dataDir}. Stop it first.`)

  await server.stop()
  const confirmed = await deeb(server, 'user', 'confirm', MARA.email)
  await server.start()
  await page.goto(/http\S+/.exec(confirmed.text)?.[0] ?? '')
  await page.getByLabel('New password').fill('brisk-lantern-93')
  await page.getByLabel('Confirm Password').fill('brisk-lantern-93')
  await page.getByRole('button', { name: 'Update password' }).click()
  await expect(page.getByRole('dialog', { name: 'Welcome to deeb!' })).toBeVisible()

  await server.stop()
  const reset = await deeb(server, 'user', 'reset', MARA.email)
  expect(reset.text).toContain(`${server.url}/app/reset-password#token_hash=`)
  expect((await deeb(server, 'user', 'sign-out', MARA.email)).text).toContain('on 1 device.')
  await server.start()
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible({ timeout: 30_000 })
})

test('totals are proved from the sessions', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await deebSwitch(page).click()
  await expect(page.getByRole('timer')).toBeVisible()
  await server.travel(45)
  await deebSwitch(page).click()
  await expect(deebSwitch(page)).not.toBeChecked()
  await page.reload()
  await expect(deebSwitch(page)).not.toBeChecked()
  await server.stop()
  expect(await deeb(server, 'totals', 'check')).toEqual({
    ok: true,
    text: 'All totals are what the sessions add up to.\n',
  })
  expect((await deeb(server, 'totals')).text).toContain('Usage: npm run deeb -- COMMAND')
})
