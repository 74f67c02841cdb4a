import { testStatus, updateStatus } from '@deeb/core/status/api'
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

test('own words replace those of deeb, and without "do not disturb" only the text is set', async () => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(testApp)
  await switchOn(testApp, user)
  await settle(reconciler)
  expect(slack.shownFor(id)).toMatchObject({ text: 'in deeb mode', isSnoozed: true })
  testApp.clock.advance({ seconds: 1 })
  await testApp.call(updateStatus, { system: 'slack', isOn: true, withDnd: false, words: 'writing' }, user)
  await settle(reconciler)
  expect(slack.shownFor(id)).toMatchObject({ text: 'writing', isSnoozed: false })
  testApp.clock.advance({ seconds: 1 })
  await testApp.call(updateStatus, { system: 'slack', isOn: false, withDnd: false, words: null }, user)
  await settle(reconciler)
  expect(slack.shownFor(id)).toMatchObject({ text: '', isSnoozed: false })
})

test('a test sets the status for a minute, also outside deeb mode, and Settings shows the result', async () => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(testApp)
  await testApp.call(testStatus, { system: 'slack' }, user)
  await settle(reconciler)
  expect(slack.shownFor(id)).toMatchObject({ text: 'in deeb mode', isSnoozed: true })
  expect((await linkOf(testApp, user, 'slack'))?.last).toEqual({ result: 'set', at: testApp.clock.now().toISOString() })
  testApp.clock.advance({ minutes: 1 })
  expect(slack.shownFor(id)).toEqual({ text: '', emoji: '', isSnoozed: false })
  await settle(reconciler)
  expect((await linkOf(testApp, user, 'slack'))?.last?.result).toBe('cleared')
  const calls = slack.calls.length
  await settle(reconciler)
  expect(slack.calls.length).toBe(calls)
})

test('a status of before is kept and restored, unless it has expired', async () => {
  for (const expiresIn of [0, 7200, 60]) {
    const { user, id } = await member()
    const reconciler = reconcilerOf(testApp)
    const status_expiration = expiresIn && Math.floor(testApp.clock.now().getTime() / 1000) + expiresIn
    const before = { status_text: 'in Oslo & happy', status_emoji: ':palm_tree:', status_expiration }
    slack.user(id).status = before
    const switchOff = await switchOn(testApp, user)
    await settle(reconciler)
    expect(slack.shownFor(id).text).toBe('in deeb mode')
    testApp.clock.advance({ minutes: 5 })
    await switchOff()
    await settle(reconciler)
    expect(slack.user(id).status.status_text).toBe(expiresIn === 60 ? '' : before.status_text)
    expect(slack.user(id).status.status_expiration).toBe(expiresIn === 60 ? 0 : status_expiration)
  }
})

test('threat 199: a status changed by hand in between is left alone, by renewals and at the end', async () => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(testApp)
  const switchOff = await switchOn(testApp, user)
  await settle(reconciler)
  const byHand = { status_text: 'at the dentist', status_emoji: ':tooth:', status_expiration: 0 }
  slack.user(id).status = byHand
  for (let hour = 0; hour < 4; hour++) {
    testApp.clock.advance({ hours: 1 })
    await settle(reconciler)
    expect(slack.user(id).status).toEqual(byHand)
  }
  expect((await linkOf(testApp, user, 'slack'))?.last).not.toBeNull()
  await switchOff()
  await settle(reconciler)
  expect(slack.user(id).status).toEqual(byHand)
  // The next session is a new desired state: the status set by hand is kept and restored.
  const switchOffAgain = await switchOn(testApp, user)
  await settle(reconciler)
  expect(slack.shownFor(id).text).toBe('in deeb mode')
  await switchOffAgain()
  await settle(reconciler)
  expect(slack.user(id).status).toEqual(byHand)
})

test('threat 199: a status cleared by hand and a pause ended by hand stay so in this session', async () => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(testApp)
  await switchOn(testApp, user)
  await settle(reconciler)
  slack.user(id).status = { status_text: '', status_emoji: '', status_expiration: 0 }
  slack.user(id).snoozeEnd = 0
  testApp.clock.advance({ hours: 1 })
  await settle(reconciler)
  expect(slack.shownFor(id)).toEqual({ text: '', emoji: '', isSnoozed: false })
})

test('threat 199: a pause that the person made is neither shortened nor ended', async () => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(testApp)
  const end = Math.floor(testApp.clock.now().getTime() / 1000) + 9 * 3600
  slack.user(id).snoozeEnd = end
  const switchOff = await switchOn(testApp, user, 30)
  await settle(reconciler)
  testApp.clock.advance({ minutes: 20 })
  await settle(reconciler)
  expect(slack.user(id).snoozeEnd).toBe(end)
  await switchOff()
  await settle(reconciler)
  expect(slack.user(id).snoozeEnd).toBe(end)
})

test('a lease is renewed while the session is open, and ends by itself without this server', async () => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(testApp)
  const switchOff = await switchOn(testApp, user)
  for (let half = 0; half < 10; half++) {
    await settle(reconciler)
    expect(slack.shownFor(id)).toMatchObject({ text: 'in deeb mode', isSnoozed: true })
    testApp.clock.advance({ minutes: 30 })
  }
  // The server is killed: nothing runs.
  testApp.clock.advance({ hours: 2 })
  expect(slack.shownFor(id)).toEqual({ text: '', emoji: '', isSnoozed: false })
  // Started again, the session is still open.
  await settle(reconciler)
  expect(slack.shownFor(id)).toMatchObject({ text: 'in deeb mode', isSnoozed: true })
  await switchOff()
  await settle(reconciler)
  expect(slack.shownFor(id)).toEqual({ text: '', emoji: '', isSnoozed: false })
})

test('after the end of the target the status stays, without the end', async () => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(testApp)
  await switchOn(testApp, user, 25)
  await settle(reconciler)
  expect(slack.shownFor(id).text).toMatch(/until ~/)
  testApp.clock.advance({ minutes: 25 })
  await settle(reconciler)
  expect(slack.shownFor(id)).toMatchObject({ text: 'in deeb mode', isSnoozed: true })
})

test('a server that stops in the middle of a call recognizes its own status, and restores the one of before', async () => {
  const { user, id } = await member()
  const before = { status_text: 'in Oslo', status_emoji: ':palm_tree:', status_expiration: 0 }
  slack.user(id).status = before
  const switchOff = await switchOn(testApp, user)
  // Slack does it, but its answer is lost.
  const reconciler = reconcilerOf(testApp)
  slack.faults.answer = (request) => {
    if (!request.url.pathname.endsWith('users.profile.set')) return null
    slack.user(id).status = request.json.profile
    return { status: 503 }
  }
  await settle(reconciler)
  slack.faults = {}
  expect(slack.shownFor(id).text).toBe('in deeb mode')
  await switchOff()
  testApp.clock.advance({ minutes: 2 })
  await settle(reconcilerOf(testApp))
  expect(slack.user(id).status).toEqual(before)
})

test('switches while a signal waits are one call, and nothing at all if they cancel out', async () => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(testApp)
  const calls = () => slack.calls.filter(({ name }) => name === `users.profile.set ${id}`).length
  await (await switchOn(testApp, user))()
  testApp.clock.advance({ seconds: 1 })
  await settle(reconciler)
  expect(calls()).toBe(0)
  await (await switchOn(testApp, user))()
  testApp.clock.advance({ seconds: 1 })
  await switchOn(testApp, user)
  await settle(reconciler)
  expect([calls(), slack.shownFor(id).text]).toEqual([1, 'in deeb mode'])
})

test('while Slack is down or asks to wait, the status waits, and follows afterwards', async () => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(testApp)
  slack.faults.isDown = true
  await switchOn(testApp, user)
  await settle(reconciler)
  expect((await linkOf(testApp, user, 'slack'))?.last?.result).toBe('later')
  slack.faults = { answer: () => ({ status: 429, headers: { 'retry-after': '300' }, body: {} }) }
  testApp.clock.advance({ seconds: 31 })
  await settle(reconciler)
  slack.faults = {}
  // Nor does somebody else of the workspace call it.
  const colleague = await makeUser(testApp)
  await connect(testApp, colleague, 'slack', (url) => slack.agree(url, `${id}b`, slack.user(id).team))
  await switchOn(testApp, colleague)
  const calls = slack.calls.length
  testApp.clock.advance({ seconds: 299 })
  await settle(reconciler)
  expect(slack.calls.length).toBe(calls)
  testApp.clock.advance({ seconds: 2 })
  await settle(reconciler)
  expect(slack.shownFor(id)).toMatchObject({ text: 'in deeb mode', isSnoozed: true })
})

test('a missing permission is not retried until the next session', async () => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(testApp)
  for (const token of slack.tokens.values()) {
    if (token.user === id) token.scopes = ['users.profile:read', 'dnd:read', 'dnd:write']
  }
  await switchOn(testApp, user)
  await settle(reconciler)
  const calls = slack.calls.length
  testApp.clock.advance({ minutes: 20 })
  await settle(reconciler)
  expect(slack.calls.length).toBe(calls)
  expect(reconciler.warnings).toContain('slack text missing_scope')
  expect(await linkOf(testApp, user, 'slack')).toMatchObject({ isRefused: false })
})

test('a deactivated member of Slack gets one email, and connects again with the same account', async () => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(testApp)
  slack.user(id).isDeactivated = true
  await switchOn(testApp, user)
  await settle(reconciler)
  expect(await linkOf(testApp, user, 'slack')).toMatchObject({ isRefused: true })
  slack.user(id).isDeactivated = false
  expect(await connect(testApp, user, 'slack', (url) => slack.agree(url, id, slack.user(id).team))).toBe(
    'slack=connected',
  )
  await settle(reconciler)
  expect(slack.shownFor(id).text).toBe('in deeb mode')
})
