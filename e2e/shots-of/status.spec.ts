import { expect } from '@playwright/test'
import { SLACK_CLIENT, startSlack } from '../../server/src/testing/chat/slack.ts'
import { freePort } from '../../server/src/testing/free-port.ts'
import { TestServer } from '../server.ts'
import { becomeUser, MARA, test } from '../test.ts'
import { shot } from './shot.ts'

test('status in chat: none connected, connected, by token, disconnect, in focus mode', async ({ page }, {
  project,
}) => {
  const port = await freePort()
  const callback = () => `http://localhost:${port}/api/status/callback/slack`
  const slack = await startSlack({ now: () => new Date(), callback })
  const env = {
    ...{ SLACK_CLIENT_ID: SLACK_CLIENT.id, SLACK_CLIENT_SECRET: SLACK_CLIENT.secret, SLACK_URL: slack.origin },
    ...{ MICROSOFT_CLIENT_ID: 'id', MICROSOFT_CLIENT_SECRET: 'secret', ZULIP: 'on' },
  }
  const server = await TestServer.fresh(undefined, { port, env })
  const shoot = (name: string, fullPage = true) => shot(page, `${project.name}-status-${name}`, { fullPage })
  try {
    const call = await becomeUser(page, server, MARA)
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Show focus' }).click()
    await expect(page.getByRole('link', { name: 'Status in chat' })).toBeVisible()
    await shoot('show-focus')
    await page.getByRole('link', { name: 'Status in chat' }).click()
    await expect(page.getByRole('button', { name: 'Connect Zulip' })).toBeVisible()
    await shoot('none')
    await page.getByRole('button', { name: 'Connect Zulip' }).click()
    await shoot('by-token', false)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Connect Slack' }).click()
    await page.getByRole('link', { name: 'Allow' }).click()
    await expect(page.getByText('Connected as Member U1')).toBeVisible()
    await page.getByRole('button', { name: 'Set it for 1 minute' }).click()
    await expect(page.getByText(/^Set at /)).toBeVisible()
    await shoot('connected')
    await page.getByRole('button', { name: 'Disconnect Slack' }).click()
    await shoot('disconnect', false)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await call('POST', '/api/focus/start', { sessionId: '01900000-0000-7000-8000-000000000001', timeZone: 'UTC' })
    await page.reload()
    await expect(page.getByText('Connected as Member U1')).toBeVisible()
    await shoot('focus')
  } finally {
    await server.dispose()
    await slack.close()
  }
})
