import { expect } from '@playwright/test'
import { SLACK_CLIENT, type Slack, startSlack } from '../../server/src/testing/chat/slack.ts'
import { freePort } from '../../server/src/testing/free-port.ts'
import { test as base, becomeUser, expectClean, MARA, switchDeeb } from '../test.ts'

/** A server that offers Slack, which is a stand-in in this process. */
const test = base.extend<{ clock: { aheadMs: number }; port: number; slack: Slack }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures.
  clock: async ({}, use) => use({ aheadMs: 0 }),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures.
  port: async ({}, use) => use(await freePort()),
  slack: async ({ clock, port }, use) => {
    const callback = () => `http://localhost:${port}/api/status/callback/slack`
    const slack = await startSlack({ now: () => new Date(Date.now() + clock.aheadMs), callback })
    await use(slack)
    await slack.close()
  },
  setting: async ({ port, slack }, use) => {
    const env = { SLACK_CLIENT_ID: SLACK_CLIENT.id, SLACK_CLIENT_SECRET: SLACK_CLIENT.secret, SLACK_URL: slack.origin }
    await use({ isAlone: true, port, env })
  },
})

test('Slack shows deeb mode from its connection in a browser on, ends it when the server is killed, and sets it again after the next start', {
  tag: '@heavy',
}, async ({ page, server, slack, clock }) => {
  await becomeUser(page, server, MARA)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Show focus' }).click()
  await page.getByRole('link', { name: 'Status in chat' }).click()
  await expect(page.getByText('Everyone in your Slack workspace will see this')).toBeVisible()
  await expectClean(page)
  await page.getByRole('button', { name: 'Connect Slack' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page.getByText('You did not allow it, so Slack is not connected.')).toBeVisible()
  await page.getByRole('button', { name: 'Connect Slack' }).click()
  await page.getByRole('link', { name: 'Allow' }).click()
  await expect(page.getByText('Connected as Member U1 in Fjordlab.')).toBeVisible()
  expect(new URL(page.url()).hash).toBe('')
  await expectClean(page)
  await expect.poll(async () => (await server.emailsTo(MARA.email)).join()).toContain('Slack was connected')

  await page.getByLabel('Your words in Slack').fill('writing')
  await page.getByRole('button', { name: 'Save words' }).click()
  await page.getByRole('button', { name: 'Set it for 1 minute' }).click()
  await expect(page.getByText(/^Set at /)).toBeVisible()
  expect(slack.shownFor('U1')).toMatchObject({ text: 'writing', isSnoozed: true })

  await page.goto(`${server.url}/app/home`)
  await switchDeeb(page, 'on')
  const twoHours = () => slack.user('U1').status.status_expiration - Date.now() / 1000
  await expect.poll(twoHours).toBeGreaterThan(7100)

  await server.end('SIGKILL')
  clock.aheadMs = 125 * 60_000
  expect(slack.shownFor('U1')).toEqual({ text: '', emoji: '', isSnoozed: false })
  await server.travel(125)
  await server.start()
  await expect.poll(() => slack.shownFor('U1')).toMatchObject({ text: 'writing', isSnoozed: true })

  const byHand = { status_text: 'at the dentist', status_emoji: ':tooth:', status_expiration: 0 }
  slack.user('U1').status = byHand
  await page.goto(`${server.url}/app/home`)
  await switchDeeb(page, 'off')
  await expect.poll(() => slack.shownFor('U1').isSnoozed).toBe(false)
  expect(slack.user('U1').status).toEqual(byHand)

  await page.goto(`${server.url}/app/settings/status`)
  await page.getByRole('button', { name: 'Disconnect Slack' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByRole('button', { name: 'Connect Slack' })).toBeVisible()
  await expect.poll(() => slack.tokens.size).toBe(0)
})
