import { linkStatusByToken, updateStatus } from '@deeb/core/status/api'
import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { test as base } from '../testing/chat/test.ts'
import { makeUser } from '../testing/make.ts'
import { linkOf, reconcilerOf, settle, switchOn } from '../testing/status.ts'
import { startTestApp } from '../testing/test-app.ts'

const test = base.extend('settings', { scope: 'file' }, { MATTERMOST: 'on', ZULIP: 'on', WEBHOOK_ALLOW: '127.0.0.0/8' })

// The stand-ins have one account each.
test.afterEach(async ({ app, mattermost, zulip }) => {
  await app.db.query(statement('test.delete-links', 'delete from status_links'))
  mattermost.faults = {}
  zulip.faults = {}
})

test('Mattermost shows text, emoji and "do not disturb" with an end, and what was there before afterwards', async ({
  app,
  clock,
  mattermost,
}) => {
  const user = await makeUser(app)
  const link = { system: 'mattermost', server: `${mattermost.origin}/`, token: mattermost.token } as const
  expect((await app.call(linkStatusByToken, { ...link, token: 'wrong' }, user)).error.code).toBe('chat_refused')
  expect((await app.call(linkStatusByToken, link, user)).status).toBe(200)
  expect(await linkOf(app, user, 'mattermost')).toMatchObject({ accountName: 'ann' })
  const before = { emoji: 'palm_tree', text: 'in Oslo', duration: '', expires_at: '0001-01-01T00:00:00Z' }
  mattermost.custom = before
  const reconciler = reconcilerOf(app)
  clock.set('2026-06-15T10:00:00Z')
  const switchOff = await switchOn(app, user, 30)
  await settle(reconciler)
  expect(mattermost.custom).toEqual({
    ...{ emoji: 'headphones', text: 'in deeb mode until ~12:30' },
    ...{ duration: 'date_and_time', expires_at: '2026-06-15T10:30:00.000Z' },
  })
  const endTime = Date.parse('2026-06-15T10:30:00Z') / 1000
  expect(mattermost.status).toEqual({ status: 'dnd', manual: true, dnd_end_time: endTime })
  await switchOff()
  await settle(reconciler)
  expect(mattermost.custom).toEqual(before)
  expect(mattermost.status.status).toBe('online')

  // Away by hand stays; away by itself does not count.
  mattermost.status = { status: 'away', manual: true, dnd_end_time: 0 }
  mattermost.custom = null
  const switchOffAgain = await switchOn(app, user)
  await settle(reconciler)
  expect(mattermost.status.status).toBe('away')
  expect(mattermost.custom).toMatchObject({ text: 'in deeb mode' })
  await switchOffAgain()
  await settle(reconciler)
  expect([mattermost.status.status, mattermost.custom]).toEqual(['away', null])
  expect(reconciler.warnings).toEqual([])
})

test('Zulip shows the text, which the next start of the server clears', async ({ app, clock, zulip }) => {
  const user = await makeUser(app)
  const { email, key: token, origin: server } = zulip
  expect((await app.call(linkStatusByToken, { system: 'zulip', server, token }, user)).status).toBe(400)
  expect((await app.call(linkStatusByToken, { system: 'zulip', server, email, token }, user)).status).toBe(200)
  const switchOff = await switchOn(app, user)
  await settle(reconcilerOf(app))
  expect(zulip.status).toEqual({ status_text: 'in deeb mode', emoji_name: 'headphones' })
  await switchOff()
  // The server was down for hours.
  clock.advance({ hours: 5 })
  expect(zulip.status.status_text).toBe('in deeb mode')
  await settle(reconcilerOf(app))
  expect(zulip.status).toEqual({ status_text: '', emoji_name: '' })
})

test.for([58, 59, 60])(
  'Zulip shows words of %i characters without the end, which has no room, and clears them',
  async (count, { app, zulip }) => {
    const user = await makeUser(app)
    const { email, key: token, origin: server } = zulip
    await app.call(linkStatusByToken, { system: 'zulip', server, email, token }, user)
    const words = 'w'.repeat(count)
    await app.call(updateStatus, { system: 'zulip', isOn: true, withDnd: true, words }, user)
    const reconciler = reconcilerOf(app)
    const switchOff = await switchOn(app, user, 30)
    await settle(reconciler)
    expect(zulip.status.status_text).toBe(words)
    await switchOff()
    await settle(reconciler)
    expect(zulip.status.status_text).toBe('')
  },
)

test('a status that the chat does not take back, such as one with a deleted emoji, is cleared', async ({
  app,
  zulip,
}) => {
  const user = await makeUser(app)
  const { email, key: token, origin: server } = zulip
  await app.call(linkStatusByToken, { system: 'zulip', server, email, token }, user)
  zulip.status = { status_text: 'in Oslo', emoji_name: 'Deleted!' }
  const reconciler = reconcilerOf(app)
  const switchOff = await switchOn(app, user)
  await settle(reconciler)
  expect(zulip.status.status_text).toBe('in deeb mode')
  await switchOff()
  await settle(reconciler)
  expect(zulip.status).toEqual({ status_text: '', emoji_name: '' })
  expect(await linkOf(app, user, 'zulip')).toMatchObject({ last: { result: 'cleared' } })
})

test('threat 223: a server that a person typed writes no long lines and no statuses into the log', async ({
  app,
  mattermost,
}) => {
  const user = await makeUser(app)
  const link = { system: 'mattermost', server: mattermost.origin, token: mattermost.token } as const
  await app.call(linkStatusByToken, link, user)
  const reconciler = reconcilerOf(app)
  const faults = [
    { body: { id: 'x', props: { customStatus: 'secret words' } } },
    { status: 400, body: { id: 'long '.repeat(10_000) } },
  ]
  for (const fault of faults) {
    mattermost.faults = { answer: () => fault }
    const switchOff = await switchOn(app, user)
    await reconciler.runOnce()
    await switchOff()
  }
  expect(reconciler.warnings.length).toBeGreaterThan(1)
  expect(reconciler.warnings.filter((line) => line.length > 200 || line.includes('secret'))).toEqual([])
})

test.for([
  ['mattermost', { id: 'a\0b', username: 'ann' }],
  ['mattermost', { id: 'x'.repeat(200_000), username: 'ann' }],
  ['mattermost', { id: '', username: 'ann' }],
  ['mattermost', { id: 'u1', username: 5 }],
  ['mattermost', { id: 'u1', username: { name: 'ann' } }],
  ['zulip', { result: 'success', user_id: 7, full_name: ['Ann'] }],
  ['zulip', { result: 'success', user_id: '7\0', full_name: 'Ann' }],
  ['zulip', { result: 'success', user_id: {}, full_name: 'Ann' }],
] as const)(
  'threat 232: %s that answers nonsense is refused: %j',
  async ([system, body], { app, mattermost, zulip }) => {
    const user = await makeUser(app)
    const server = system === 'zulip' ? zulip : mattermost
    server.faults = { answer: () => ({ body }) }
    const input = {
      system,
      server: server.origin,
      token: 'x',
      ...(system === 'zulip' && { email: 'ann@chat.example' }),
    }
    const answer = await app.call(linkStatusByToken, input, user)
    expect([answer.status, answer.error.code]).toEqual([409, 'chat_refused'])
    expect(app.log.filter((line) => line.includes('request failed'))).toEqual([])
  },
)

test('threat 194: a typed server is called by the guard only', async ({ mattermost }) => {
  const guarded = await startTestApp({ MATTERMOST: 'on' })
  try {
    const [user, calls] = [await makeUser(guarded), mattermost.calls.length]
    const codeFor = async (server: string) => {
      const input = { system: 'mattermost', server, token: 'x' } as const
      return (await guarded.call(linkStatusByToken, input, user)).error.code
    }
    for (const server of [
      mattermost.origin,
      'http://169.254.169.254',
      'https://127.0.0.1',
      'localhost',
      'https://[::1]',
    ]) {
      expect([server, await codeFor(server)]).toEqual([server, 'chat_unavailable'])
    }
    for (const server of ['https://user:password@chat.example', 'https://']) {
      expect([server, await codeFor(server)]).toEqual([server, 'invalid_input'])
    }
    expect(mattermost.calls.length).toBe(calls)
  } finally {
    await guarded.close()
  }
})
