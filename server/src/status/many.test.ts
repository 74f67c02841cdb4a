// Runs in npm run test:all.
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { updateStatus } from '@deeb/core/status/api'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, describe, expect } from 'vitest'
import { type Db, statement } from '../db/db.ts'
import { createLocalBus } from '../lib/event-bus.ts'
import { SLACK_CLIENT } from '../testing/chat/slack.ts'
import { test as base, settingsOfSlack } from '../testing/chat/test.ts'
import { type Mattermost, startMattermost } from '../testing/chat/typed-chats.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { IS_SOAK, times } from '../testing/runs.ts'
import { reconcilerOf } from '../testing/status.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { until } from '../testing/until.ts'
import { claimSignals, claimStatements } from './claim-signals.ts'
import { sealCredentials } from './credentials.ts'
import { createReconciler } from './reconcile.ts'
import { createAdapters } from './systems.ts'

const test = base
  .extend('settings', { scope: 'file' }, ({ slack }) => settingsOfSlack(slack))
  .extend('chat', { scope: 'file' }, ({ app, clock, slack }) => {
    /** Connects people in one workspace, without the steps of OAuth. */
    async function people(count: number, team: string, { on = app } = {}): Promise<{ user: MadeUser; id: string }[]> {
      const made = []
      for (let n = 0; n < count; n++) {
        const user = await makeUser(on)
        const [linkId, id, accessToken] = [uuidv7(), `${team}-${n}`, `token ${team}-${n}`]
        slack.user(id, team)
        slack.tokens.set(accessToken, {
          user: id,
          scopes: ['users.profile:read', 'users.profile:write', 'dnd:read', 'dnd:write'],
        })
        const sealed = sealCredentials(on.auth.keys, linkId, { accessToken })
        await on.db.query(insertLink, {
          linkId,
          userId: user.userId,
          system: 'slack',
          team,
          id,
          sealed,
          now: on.clock.now(),
        })
        made.push({ user, id })
      }
      return made
    }
    /** Two servers work concurrently until nothing is left to do, while time passes. Returns the minutes that it took. */
    async function workOff(isDone: () => boolean): Promise<number> {
      const servers = [reconcilerOf(app), reconcilerOf(app)]
      const start = clock.now().getTime()
      while (!isDone()) {
        await Promise.all(servers.map((server) => server.runOnce()))
        clock.advance({ seconds: 3 })
      }
      return (clock.now().getTime() - start) / 60_000
    }
    return { people, workOff }
  })

const insertLink = statement(
  'test.insert-link',
  `with link as (
    insert into status_links (id, user_id, system, workspace, account_id, credentials, changed_at, linked_at)
    values (:linkId, :userId, :system, :team, :id, :sealed, :now, :now) returning id
  ), queues as (
    insert into status_queues (system, workspace, part) values (:system, :team, 'text'), (:system, :team, 'dnd')
    on conflict do nothing
  )
  insert into status_signals (link_id, part) select id, part from link cross join (values ('text'), ('dnd')) as parts (part)`,
)

test('threat 196: of many people who switch within a minute everybody gets the right status, and no limit is exceeded', async ({
  app,
  clock,
  slack,
  chat,
}) => {
  const count = times(120, 2_000)
  const all = await chat.people(count, 'Tmany')
  const sessions = all.map(() => uuidv7())
  for (const [n, { user }] of all.entries()) {
    if (n % Math.ceil(count / 60) === 0) clock.advance({ seconds: 1 })
    await app.call(startFocus, { sessionId: sessions[n] ?? '', timeZone: 'UTC' }, user)
  }
  const isText = (text: string) => all.every(({ id }) => slack.shownFor(id).text === text)
  const minutes = await chat.workOff(
    () => slack.calls.filter(({ name }) => name.startsWith('dnd.setSnooze')).length >= count,
  )
  // The first leases are renewed while the last pauses are set.
  expect(all.filter(({ id }) => slack.shownFor(id).text === 'in deeb mode').length).toBe(count)
  // Every third person switches off.
  const [leaving, staying] = [all.filter((_, n) => n % 3 === 0), all.filter((_, n) => n % 3 !== 0)]
  for (const { user } of leaving) {
    await app.call(stopFocus, { sessionId: sessions[all.findIndex((one) => one.user === user)] ?? '' }, user)
  }
  const minutesOff = await chat.workOff(() =>
    leaving.every(({ id }) => !slack.shownFor(id).isSnoozed && slack.shownFor(id).text === ''),
  )
  expect(staying.every(({ id }) => slack.shownFor(id).text === 'in deeb mode')).toBe(true)
  expect(isText('in deeb mode')).toBe(false)
  expect(slack.refused).toEqual([])
  if (IS_SOAK) console.log(`${count} people: on within ${minutes} minutes, a third off within ${minutesOff} minutes`)
})

test('threat 196: a workspace that another server is claiming is left to it, and its calls count', async ({
  app,
  clock,
  chat,
  skip,
}) => {
  const { db, auth } = app
  if (db.engine === 'embedded') skip('the embedded database has one connection')
  for (const { user } of await chat.people(12, 'Tlocked'))
    await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, user)
  const statements = claimStatements(createAdapters(auth.config.chat, []))
  const claim = async (db: Db) => {
    const { signals, hasMore } = await claimSignals(db, statements, { all: 60, typed: 30 }, clock.now())
    return { count: signals.filter(({ workspace }) => workspace === 'Tlocked').length, hasMore }
  }
  let hasFound = false
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  /** Waits between the two statements of a claim. */
  const slow = (db: Db): Db => ({
    ...db,
    async query(statement, params) {
      if (statement === statements.take) {
        hasFound = true
        await released
      }
      return db.query(statement, params)
    },
    transaction: (work) => db.transaction((inner) => work(slow(inner))),
  })
  const first = claim(slow(db))
  await until(() => hasFound)
  expect(await claim(db)).toEqual({ count: 0, hasMore: true })
  release()
  const { count } = await first
  expect([count > 0, count < 24]).toEqual([true, true])
  expect(await claim(db)).toEqual({ count: 0, hasMore: true })
})

test('"off" goes before "on" of others', async ({ app, slack, chat }) => {
  const [first, ...others] = await chat.people(30, 'Toff')
  if (!first) throw new Error('nobody')
  const sessionId = uuidv7()
  await app.call(startFocus, { sessionId, timeZone: 'UTC' }, first.user)
  await chat.workOff(() => slack.shownFor(first.id).text !== '')
  for (const { user } of others) await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, user)
  await app.call(stopFocus, { sessionId }, first.user)
  await chat.workOff(() => slack.shownFor(first.id).text === '')
  expect(others.filter(({ id }) => slack.shownFor(id).text !== '').length).toBeLessThan(6)
})

test('threat 224: one person who changes settings again and again does not hold up their workspace', async ({
  app,
  clock,
  slack,
  chat,
}) => {
  const [busy, ...others] = await chat.people(12, 'Tbusy')
  if (!busy) throw new Error('nobody')
  const servers = [reconcilerOf(app), reconcilerOf(app)]
  for (const { user } of [busy, ...others]) {
    await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, user)
    clock.advance({ seconds: 1 })
  }
  // As many turns as the others need, with one change before each.
  for (let turn = 0; turn < 12; turn++) {
    await app.call(updateStatus, { system: 'slack', isOn: true, withDnd: false, words: `words ${turn}` }, busy.user)
    await Promise.all(servers.map((server) => server.runOnce()))
    clock.advance({ seconds: 1.5 })
  }
  expect(others.map(({ id }) => slack.shownFor(id).text)).toEqual(others.map(() => 'in deeb mode'))
})

test('threat 195: a switch is as fast with links as without, while the chat does not answer', async ({
  app,
  clock,
  slack,
  chat,
}) => {
  const count = times(100, 1_000)
  const linked = (await chat.people(count, 'Tslow')).map(({ user }) => user)
  const unlinked = await Promise.all(linked.map(() => makeUser(app)))
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  slack.faults.slow = () => held
  // The app publishes to a bus of its own.
  const bus = createLocalBus()
  const wake = (userId: string) => bus.publish({ kind: 'presence', id: userId })
  const reconciler = createReconciler({
    ...{ db: app.db, keys: app.auth.keys, mailer: app.auth.mailer, now: clock.now },
    bus,
    adapters: createAdapters(app.auth.config.chat, []),
    warn: () => undefined,
    onError: (error) => {
      throw error
    },
  })
  reconciler.start()
  const took = { linked: [] as number[], unlinked: [] as number[] }
  for (let n = 0; n < count; n++) {
    for (const kind of ['linked', 'unlinked'] as const) {
      const user = (kind === 'linked' ? linked : unlinked)[n]
      if (!user) continue
      const from = performance.now()
      const { status } = await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, user)
      took[kind].push(performance.now() - from)
      expect(status).toBe(200)
      wake(user.userId)
    }
  }
  release()
  slack.faults = {}
  await reconciler.stop()
  const p = (times: number[], share: number) => times.sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0
  const results = Object.entries(took).map(
    ([kind, times]) => `${kind}: p50 ${p(times, 0.5).toFixed(1)} ms, p99 ${p(times, 0.99).toFixed(1)} ms`,
  )
  console.log(`${count} switches each while the chat does not answer; ${results.join('; ')}`)
  expect(p(took.linked, 0.5)).toBeLessThan(p(took.unlinked, 0.5) * 3 + 10)
})

describe('servers that people typed and that do not answer', () => {
  let typed: TestApp
  let silent: Mattermost
  let release = () => {}
  test.beforeEach(async ({ slack }) => {
    const { id, secret } = SLACK_CLIENT
    typed = await startTestApp({
      ...{ SLACK_CLIENT_ID: id, SLACK_CLIENT_SECRET: secret, SLACK_URL: slack.origin },
      ...{ MATTERMOST: 'on', WEBHOOK_ALLOW: '127.0.0.0/8' },
    })
    silent = await startMattermost({ now: typed.clock.now })
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    silent.faults.slow = () => held
    // Each with a server of their own, and more than one process works on concurrently.
    for (let n = 0; n < 70; n++) await startWithServer(`${silent.origin}/${n}`, 'x')
    typed.clock.advance({ seconds: 1 })
  })
  afterEach(async () => {
    await typed.close()
    await silent.close()
  })

  async function startWithServer(server: string, accessToken: string): Promise<void> {
    const { userId, ...user } = await makeUser(typed)
    const linkId = uuidv7()
    const sealed = sealCredentials(typed.auth.keys, linkId, { accessToken, server })
    const link = { linkId, userId, system: 'mattermost', team: server, id: linkId, sealed, now: typed.clock.now() }
    await typed.db.query(insertLink, link)
    await typed.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, { userId, ...user })
  }

  /** Runs one turn, and lets the silent servers fail once this holds. */
  async function turnUntil(holds: () => boolean): Promise<void> {
    const working = reconcilerOf(typed).runOnce()
    try {
      await until(holds)
    } finally {
      silent.faults = { isDown: true }
      release()
      await working
    }
  }

  test('threat 225: hold up no other system', async ({ slack, chat }) => {
    const [ann] = await chat.people(1, 'Ttyped', { on: typed })
    if (!ann) throw new Error('nobody')
    await typed.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, ann.user)
    await turnUntil(() => slack.shownFor(ann.id).text === 'in deeb mode')
  })

  test('threat 242: go after one that has not failed', async () => {
    await typed.db.script('update status_signals set attempts = 1')
    const other = await startMattermost({ now: typed.clock.now })
    await startWithServer(other.origin, other.token)
    await turnUntil(() => other.custom?.text === 'in deeb mode')
    await other.close()
  })
})
