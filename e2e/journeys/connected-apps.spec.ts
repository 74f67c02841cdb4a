import { expect, type Page } from '@playwright/test'
import { becomeUser, expectClean, MARA, test } from '../test.ts'

/** Calls the API as an app with the token, and returns the status of the answer. */
async function callAs(page: Page, url: string, token: string, path: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await page.request.get(url + path, { headers })).status()
}

test('a user connects an app within limits, copies its token once and disconnects it', { tag: '@heavy' }, async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await becomeUser(page, server, MARA)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Show focus' }).click()
  await page.getByRole('link', { name: 'Connected apps' }).click()
  await expect(page.getByRole('button', { name: 'Connect an app' })).toBeVisible()
  await expectClean(page)

  await page.getByRole('button', { name: 'Connect an app' }).click()
  const form = page.getByRole('dialog', { name: 'Connect an app' })
  await form.getByRole('button', { name: 'Create token' }).click()
  await expect(form.getByText('Give the app a name.')).toBeVisible()
  await expect(form.getByText('Choose what it may do.')).toBeVisible()
  await expectClean(page)
  await form.getByLabel('Name', { exact: true }).fill('Desk light')
  await form.getByLabel('switch deeb mode').check()
  await form.getByRole('button', { name: 'Create token' }).dblclick()

  const shown = page.getByRole('dialog', { name: 'The token of this app' })
  const token = await shown.getByLabel('Token').inputValue()
  await shown.getByRole('button', { name: 'Copy' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(/^May switch deeb mode.* Not used yet\. Expires on/)).toHaveCount(1)

  // The app switches, the page follows, and nothing else is open to it.
  const start = { sessionId: crypto.randomUUID(), timeZone: 'Europe/Berlin' }
  const headers = { authorization: `Bearer ${token}` }
  expect((await page.request.post(`${server.url}/api/focus/start`, { headers, data: start })).status()).toBe(200)
  await expect(page.getByRole('button', { name: 'End session' })).toBeVisible()
  expect(await callAs(page, server.url, token, '/api/focus')).toBe(200)
  expect(await callAs(page, server.url, token, '/api/team')).toBe(403)
  expect(await callAs(page, server.url, token, '/api/account/sessions')).toBe(403)
  await page.reload()
  await expect(page.getByText(/Last used at about/)).toBeVisible()
  expect(await page.content()).not.toContain(token)

  await page.getByRole('button', { name: 'Disconnect Desk light' }).click()
  const ask = page.getByRole('dialog', { name: 'Disconnect Desk light?' })
  await ask.getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByRole('button', { name: 'Disconnect Desk light' })).toHaveCount(0)
  expect(await callAs(page, server.url, token, '/api/focus')).toBe(401)

  // A token outlives the sign-in, so its creation asks who it is.
  await server.travel(20)
  await page.getByRole('button', { name: 'Connect an app' }).click()
  await form.getByLabel('Name', { exact: true }).fill('Lamp')
  await form.getByLabel('like a door sign').check()
  await form.getByRole('button', { name: 'Create token' }).click()
  const proof = page.getByRole('dialog', { name: 'Show that it is you' })
  await proof.getByLabel('Password').fill(MARA.password)
  await proof.getByRole('button', { name: 'Continue' }).click()
  await expect(shown).toBeVisible()
})
