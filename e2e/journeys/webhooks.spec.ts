import { expect } from '@playwright/test'
import { isSignedBy, type Receiver, startReceiver, WEBHOOKS_HERE } from '../../server/src/testing/webhook-receiver.ts'
import { test as base, becomeUser, expectClean, MARA, switchDeeb } from '../test.ts'

const test = base.extend<{ receiver: Receiver }>({
  receiver: async ({ browserName: _ }, use) => {
    const receiver = await startReceiver()
    await use(receiver)
    await receiver.close()
  },
})
test.use({ setting: { env: WEBHOOKS_HERE } })

test('a user adds a webhook, sees what arrives, sends again, replaces the secret and deletes it', {
  tag: '@heavy',
}, async ({ page, context, server, receiver }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await becomeUser(page, server, MARA)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Show focus' }).click()
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('button', { name: 'How safe is this?' }).click()
  await expect(page.getByText('to addresses that you add here and to nobody else')).toBeVisible()
  await expectClean(page)

  await page.getByRole('button', { name: 'Add a webhook' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a webhook' })
  await adding.getByLabel('Address').fill('http://192.168.0.1/hook')
  await adding.getByRole('button', { name: 'Add' }).click()
  await expect(adding.getByText('Enter an address that begins with https://')).toBeVisible()
  await expectClean(page)
  await adding.getByLabel('Address').fill(receiver.url)
  await adding.getByRole('button', { name: 'Add' }).dblclick()
  const shown = page.getByRole('dialog', { name: 'The secret of this webhook' })
  const secret = await shown.getByLabel('Secret').inputValue()
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  await expectClean(page)
  await shown.getByRole('button', { name: 'Copy' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  await shown.getByRole('button', { name: 'Done' }).click()

  const row = page.getByRole('button', { name: /^127\.0\.0\.1/ })
  await expect(row).toHaveCount(1)
  await row.click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await expect(page.getByText('Test', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Delivered at/)).toBeVisible()
  await page.goto(`${server.url}/app/home`)
  await switchDeeb(page, 'on')
  await expect.poll(() => receiver.types()).toEqual(['webhook.test', 'focus.started'])
  expect(receiver.received.every((message) => isSignedBy(secret, message))).toBe(true)
  receiver.answer = (response) => void response.writeHead(500).end()
  await switchDeeb(page, 'off')
  await expect.poll(() => receiver.types().at(-1)).toBe('focus.ended')
  await page.goto(`${server.url}/app/settings/webhooks`)
  await row.click()
  await expect(page.getByText(/next try at .* status 500$/)).toBeVisible()
  await expectClean(page)
  receiver.answer = (response) => void response.writeHead(204).end()
  await page.getByRole('button', { name: /^Send again: deeb mode off/ }).click()
  await expect(page.getByText(/^Delivered at/)).toHaveCount(3)

  await page.getByRole('button', { name: 'New secret' }).click()
  const renewing = page.getByRole('dialog', { name: 'New secret?' })
  await renewing.getByLabel('The old one leaked: end it now').check()
  await renewing.getByRole('button', { name: 'New secret' }).click()
  const second = await shown.getByLabel('Secret').inputValue()
  await shown.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await expect(page.getByText(/^Delivered at/)).toHaveCount(4)
  const last = receiver.received.at(-1)
  expect(last && [isSignedBy(secret, last), isSignedBy(second, last)]).toEqual([false, true])
  // Nobody can show it again.
  expect(await page.content()).not.toContain('whsec_')

  await page.getByRole('button', { name: 'Delete' }).click()
  const deleting = page.getByRole('dialog', { name: 'Delete this webhook?' })
  await deleting.getByRole('button', { name: 'Delete webhook' }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Back to Show focus' }).click()
  await expect(page.getByRole('link', { name: 'Webhooks' })).toBeVisible()
})
