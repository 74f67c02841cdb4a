import { testStatus, updateStatus } from '@deeb/core/status/api'
import { expect } from 'vitest'
import { test as base, settingsOfSlack } from '../testing/chat/test.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { connect, linkOf, reconcilerOf, settle, switchOn } from '../testing/status.ts'

const test = base
  .extend('settings', { scope: 'file' }, ({ slack }) => settingsOfSlack(slack))
  /** A person with Slack, in a workspace of their own. */
  .extend('member', ({ app, slack }) => async (): Promise<{ user: MadeUser; id: string }> => {
    const [user, id] = [await makeUser(app), `U${++count}`]
    expect(await connect(app, user, 'slack', (url) => slack.agree(url, id, `T${count}`))).toBe('slack=connected')
    return { user, id }
  })

let count = 0

test('a switch sets text, emoji and snooze with the end of the target, and clears them', async ({
  app,
  clock,
  slack,
  member,
}) => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(app)
  clock.set('2026-06-15T08:00:00Z')
  const switchOff = await switchOn(app, user, 45)
  await settle(reconciler)
  expect(slack.shownFor(id)).toEqual({ text: 'in deeb mode until ~10:45', emoji: ':headphones:', isSnoozed: true })
  expect(slack.user(id).status.status_expiration).toBe(Date.parse('2026-06-15T08:45:00Z') / 1000)
  expect(slack.user(id).snoozeEnd).toBe(Date.parse('2026-06-15T08:45:00Z') / 1000)
  expect((await linkOf(app, user, 'slack'))?.last?.result).toBe('set')
  await switchOff()
  await settle(reconciler)
  expect(slack.shownFor(id)).toEqual({ text: '', emoji: '', isSnoozed: false })
})

test('own words replace those of deeb, and without "do not disturb" only the text is set', async ({
  app,
  clock,
  slack,
  member,
}) => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(app)
  await switchOn(app, user)
  await settle(reconciler)
  expect(slack.shownFor(id)).toMatchObject({ text: 'in deeb mode', isSnoozed: true })
  clock.advance({ seconds: 1 })
  await app.call(updateStatus, { system: 'slack', isOn: true, withDnd: false, words: 'writing' }, user)
  await settle(reconciler)
  expect(slack.shownFor(id)).toMatchObject({ text: 'writing', isSnoozed: false })
  clock.advance({ seconds: 1 })
  await app.call(updateStatus, { system: 'slack', isOn: false, withDnd: false, words: null }, user)
  await settle(reconciler)
  expect(slack.shownFor(id)).toMatchObject({ text: '', isSnoozed: false })
})

test('a test sets the status for a minute, also outside deeb mode, and Settings shows the result', async ({
  app,
  clock,
  slack,
  member,
}) => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(app)
  await app.call(testStatus, { system: 'slack' }, user)
  await settle(reconciler)
  expect(slack.shownFor(id)).toMatchObject({ text: 'in deeb mode', isSnoozed: true })
  expect((await linkOf(app, user, 'slack'))?.last).toEqual({ result: 'set', at: clock.now().toISOString() })
  clock.advance({ minutes: 1 })
  expect(slack.shownFor(id)).toEqual({ text: '', emoji: '', isSnoozed: false })
  await settle(reconciler)
  expect((await linkOf(app, user, 'slack'))?.last?.result).toBe('cleared')
  const calls = slack.calls.length
  await settle(reconciler)
  expect(slack.calls.length).toBe(calls)
})

test('a status of before is kept and restored, unless it has expired', async ({ app, clock, slack, member }) => {
  for (const expiresIn of [0, 7200, 60]) {
    const { user, id } = await member()
    const reconciler = reconcilerOf(app)
    const status_expiration = expiresIn && Math.floor(clock.now().getTime() / 1000) + expiresIn
    const before = { status_text: 'in Oslo & happy', status_emoji: ':palm_tree:', status_expiration }
    slack.user(id).status = before
    const switchOff = await switchOn(app, user)
    await settle(reconciler)
    expect(slack.shownFor(id).text).toBe('in deeb mode')
    clock.advance({ minutes: 5 })
    await switchOff()
    await settle(reconciler)
    expect(slack.user(id).status.status_text).toBe(expiresIn === 60 ? '' : before.status_text)
    expect(slack.user(id).status.status_expiration).toBe(expiresIn === 60 ? 0 : status_expiration)
  }
})

test('threat 199: a status changed by hand in between is left alone, by renewals and at the end', async ({
  app,
  clock,
  slack,
  member,
}) => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(app)
  const switchOff = await switchOn(app, user)
  await settle(reconciler)
  const byHand = { status_text: 'at the dentist', status_emoji: ':tooth:', status_expiration: 0 }
  slack.user(id).status = byHand
  for (let hour = 0; hour < 4; hour++) {
    clock.advance({ hours: 1 })
    await settle(reconciler)
    expect(slack.user(id).status).toEqual(byHand)
  }
  expect((await linkOf(app, user, 'slack'))?.last).not.toBeNull()
  await switchOff()
  await settle(reconciler)
  expect(slack.user(id).status).toEqual(byHand)
  // The next session is a new desired state: the status set by hand is kept and restored.
  const switchOffAgain = await switchOn(app, user)
  await settle(reconciler)
  expect(slack.shownFor(id).text).toBe('in deeb mode')
  await switchOffAgain()
  await settle(reconciler)
  expect(slack.user(id).status).toEqual(byHand)
})

test('threat 199: a status cleared by hand and a pause ended by hand stay so in this session', async ({
  app,
  clock,
  slack,
  member,
}) => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(app)
  await switchOn(app, user)
  await settle(reconciler)
  slack.user(id).status = { status_text: '', status_emoji: '', status_expiration: 0 }
  slack.user(id).snoozeEnd = 0
  clock.advance({ hours: 1 })
  await settle(reconciler)
  expect(slack.shownFor(id)).toEqual({ text: '', emoji: '', isSnoozed: false })
})

test('threat 199: a pause that the person made is neither shortened nor ended', async ({
  app,
  clock,
  slack,
  member,
}) => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(app)
  const end = Math.floor(clock.now().getTime() / 1000) + 9 * 3600
  slack.user(id).snoozeEnd = end
  const switchOff = await switchOn(app, user, 30)
  await settle(reconciler)
  clock.advance({ minutes: 20 })
  await settle(reconciler)
  expect(slack.user(id).snoozeEnd).toBe(end)
  await switchOff()
  await settle(reconciler)
  expect(slack.user(id).snoozeEnd).toBe(end)
})

test('a lease is renewed while the session is open, and ends by itself without this server', async ({
  app,
  clock,
  slack,
  member,
}) => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(app)
  const switchOff = await switchOn(app, user)
  for (let half = 0; half < 10; half++) {
    await settle(reconciler)
    expect(slack.shownFor(id)).toMatchObject({ text: 'in deeb mode', isSnoozed: true })
    clock.advance({ minutes: 30 })
  }
  // The server is killed: nothing runs.
  clock.advance({ hours: 2 })
  expect(slack.shownFor(id)).toEqual({ text: '', emoji: '', isSnoozed: false })
  // Started again, the session is still open.
  await settle(reconciler)
  expect(slack.shownFor(id)).toMatchObject({ text: 'in deeb mode', isSnoozed: true })
  await switchOff()
  await settle(reconciler)
  expect(slack.shownFor(id)).toEqual({ text: '', emoji: '', isSnoozed: false })
})

test('after the end of the target the status stays, without the end', async ({ app, clock, slack, member }) => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(app)
  await switchOn(app, user, 25)
  await settle(reconciler)
  expect(slack.shownFor(id).text).toMatch(/until ~/)
  clock.advance({ minutes: 25 })
  await settle(reconciler)
  expect(slack.shownFor(id)).toMatchObject({ text: 'in deeb mode', isSnoozed: true })
})

test('a server that stops in the middle of a call recognizes its own status, and restores the one of before', async ({
  app,
  clock,
  slack,
  member,
}) => {
  const { user, id } = await member()
  const before = { status_text: 'in Oslo', status_emoji: ':palm_tree:', status_expiration: 0 }
  slack.user(id).status = before
  const switchOff = await switchOn(app, user)
  // Slack does it, but its answer is lost.
  const reconciler = reconcilerOf(app)
  slack.faults.answer = (request) => {
    if (!request.url.pathname.endsWith('users.profile.set')) return null
    slack.user(id).status = request.json.profile
    return { status: 503 }
  }
  await settle(reconciler)
  slack.faults = {}
  expect(slack.shownFor(id).text).toBe('in deeb mode')
  await switchOff()
  clock.advance({ minutes: 2 })
  await settle(reconcilerOf(app))
  expect(slack.user(id).status).toEqual(before)
})

test('switches while a signal waits are one call, and nothing at all if they cancel out', async ({
  app,
  clock,
  slack,
  member,
}) => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(app)
  const calls = () => slack.calls.filter(({ name }) => name === `users.profile.set ${id}`).length
  await (await switchOn(app, user))()
  clock.advance({ seconds: 1 })
  await settle(reconciler)
  expect(calls()).toBe(0)
  await (await switchOn(app, user))()
  clock.advance({ seconds: 1 })
  await switchOn(app, user)
  await settle(reconciler)
  expect([calls(), slack.shownFor(id).text]).toEqual([1, 'in deeb mode'])
})

test('while Slack is down or asks to wait, the status waits, and follows afterwards', async ({
  app,
  clock,
  slack,
  member,
}) => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(app)
  slack.faults.isDown = true
  await switchOn(app, user)
  await settle(reconciler)
  expect((await linkOf(app, user, 'slack'))?.last?.result).toBe('later')
  slack.faults = { answer: () => ({ status: 429, headers: { 'retry-after': '300' }, body: {} }) }
  clock.advance({ seconds: 31 })
  await settle(reconciler)
  slack.faults = {}
  // Nor does somebody else of the workspace call it.
  const colleague = await makeUser(app)
  await connect(app, colleague, 'slack', (url) => slack.agree(url, `${id}b`, slack.user(id).team))
  await switchOn(app, colleague)
  const calls = slack.calls.length
  clock.advance({ seconds: 299 })
  await settle(reconciler)
  expect(slack.calls.length).toBe(calls)
  clock.advance({ seconds: 2 })
  await settle(reconciler)
  expect(slack.shownFor(id)).toMatchObject({ text: 'in deeb mode', isSnoozed: true })
})

test('a missing permission is not retried until the next session', async ({ app, clock, slack, member }) => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(app)
  for (const token of slack.tokens.values()) {
    if (token.user === id) token.scopes = ['users.profile:read', 'dnd:read', 'dnd:write']
  }
  await switchOn(app, user)
  await settle(reconciler)
  const calls = slack.calls.length
  clock.advance({ minutes: 20 })
  await settle(reconciler)
  expect(slack.calls.length).toBe(calls)
  expect(reconciler.warnings).toContain('slack text missing_scope')
  expect(await linkOf(app, user, 'slack')).toMatchObject({ isRefused: false })
})

test('a deactivated member of Slack gets one email, and connects again with the same account', async ({
  app,
  slack,
  member,
}) => {
  const { user, id } = await member()
  const reconciler = reconcilerOf(app)
  slack.user(id).isDeactivated = true
  await switchOn(app, user)
  await settle(reconciler)
  expect(await linkOf(app, user, 'slack')).toMatchObject({ isRefused: true })
  slack.user(id).isDeactivated = false
  expect(await connect(app, user, 'slack', (url) => slack.agree(url, id, slack.user(id).team))).toBe('slack=connected')
  await settle(reconciler)
  expect(slack.shownFor(id).text).toBe('in deeb mode')
})
