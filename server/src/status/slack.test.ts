import { afterAll, beforeAll, expect, test } from 'vitest'
import { SLACK_CLIENT, type Slack, startSlack } from '../testing/chat/slack.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { connect, linkOf, reconcilerOf, settle, switchOn } from '../testing/status-bed.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

let testApp: TestApp
let slack: Slack
let count = 0

beforeAll(async () => {
  slack = await startSlack({
    now: () => testApp.clock.now(),
    callback: () => `${testApp.auth.config.publicUrl}/api/status/callback/slack`,
  })
  const { id, secret } = SLACK_CLIENT
  testApp = await startTestApp({ SLACK_CLIENT_ID: id, SLACK_CLIENT_SECRET: secret, SLACK_URL: slack.origin })
})
afterAll(async () => {
  await testApp.close()
  await slack.close()
})

/** A person with Slack, in a workspace of their own. */
async function member(): Promise<{ user: MadeUser; id: string }> {
  const [user, id] = [await makeUser(testApp), `U${++count}`]
  expect(await connect(testApp, user, 'slack', (url) => slack.agree(url, id, `T${count}`))).toBe('slack=connected')
  return { user, id }
}

test('a switch sets text, emoji and snooze with the end of the target, and clears them', async () => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(testApp)
  testApp.clock.set('2026-06-15T08:00:00Z')
  const switchOff = await switchOn(testApp, user, 45)
  await settle(reconciler)
  expect(slack.shownFor(id)).toEqual({ text: 'in deeb mode until ~10:45', emoji: ':headphones:', isSnoozed: true })
  expect(slack.user(id).status.status_expiration).toBe(Date.parse('2026-06-15T08:45:00Z') / 1000)
  expect(slack.user(id).snoozeEnd).toBe(Date.parse('2026-06-15T08:45:00Z') / 1000)
  expect((await linkOf(testApp, user, 'slack'))?.last?.result).toBe('set')
  await switchOff()
  await settle(reconciler)
  expect(slack.shownFor(id)).toEqual({ text: '', emoji: '', isSnoozed: false })
})
