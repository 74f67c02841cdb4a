import { endAuthSession } from '@deeb/core/account/api'
import { setAlert } from '@deeb/core/alerts/api'
import { startFocus } from '@deeb/core/focus/api'
import { addSession, touchSession } from '@deeb/core/sessions/api'
import { quitConnection, readTeam } from '@deeb/core/team/api'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { applyCompanies } from '../admin/companies.ts'
import { blockUser, deleteUser, signOutUser } from '../admin/users.ts'
import { openPostgres, statement } from '../db/db.ts'
import type { ChangeEvent } from '../lib/event-bus.ts'
import { createAuthClient } from '../testing/auth-client.ts'
import { openDirectory } from '../testing/directory.ts'
import { openStream, type TestStream } from '../testing/live.ts'
import { authSessionOf, type MadeUser, makeConnection, makeUser, PASSWORD } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { createTestDatabase, directUrlOf } from '../testing/test-database.ts'
import { until } from '../testing/until.ts'
import { openBus } from './postgres-bus.ts'

/** The two servers share only the database and the secret: each has its own pool, caches, bus and hub. */
describe.skipIf(inject('template').engine === 'embedded')('two servers on one database', () => {
  let url: string
  let one: TestApp
  let other: TestApp
  let ann: MadeUser
  let bea: MadeUser
  beforeAll(async () => {
    url = await createTestDatabase()
    const env = { DATABASE_URL: url, DEEB_SECRET: 'ab'.repeat(32) }
    one = await startTestApp(env)
    other = await startTestApp(env)
    ann = await makeUser(one)
    bea = await makeUser(one)
  })
  afterAll(async () => {
    await one.close()
    await other.close()
  })

  test('a switch on one server reaches the streams of the other', async () => {
    const connectionId = await makeConnection(one, ann, bea)
    const [annStream, beaStream] = [await openStream(other, ann), await openStream(other, bea)]
    const { session } = (await one.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, ann)).body
    await annStream.until((stream) => stream.of('me-changed').length === 1)
    await beaStream.until((stream) => stream.of('presence').length === 1)
    expect(annStream.of('me-changed')[0]?.openSession).toEqual(session)
    const { connections } = (await other.call(readTeam, {}, bea)).body
    expect(beaStream.of('presence')[0]?.presence).toEqual(connections[0]?.presence)

    await one.call(quitConnection, { connectionId }, ann)
    await beaStream.until((stream) => stream.of('team-changed').length === 1)
    annStream.leave()
    beaStream.leave()
  })

  test('an added session reaches the streams of its user on the other server, and no colleague', async () => {
    const cleo = await makeUser(one)
    await makeConnection(one, ann, cleo)
    const [cleoStream, annStream] = [await openStream(other, cleo), await openStream(other, ann)]
    const hoursAgo = (hours: number) => new Date(one.clock.now().getTime() - hours * 3_600_000).toISOString()
    const times = { startedAt: hoursAgo(3), endedAt: hoursAgo(2) }
    await one.call(addSession, { sessionId: uuidv7(), timeZone: 'UTC', ...times }, cleo)
    await cleoStream.until((stream) => stream.of('me-changed').length === 1)
    expect(annStream.of('presence')).toEqual([])
    cleoStream.leave()
    annStream.leave()
  })

  test('an answer that one is still on reaches the streams of that user on the other server', async () => {
    const cleo = await makeUser(one)
    const { session } = (await one.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, cleo)).body
    const stream = await openStream(other, cleo)
    const now = one.clock.now().toISOString()
    const input = { sessionId: session.id, times: { actedAt: now, sentAt: now }, answers: ['untouched' as const] }
    await one.call(touchSession, input, cleo)
    await stream.until((stream) => stream.of('still-on').length === 1)
    stream.leave()
  })

  test('a wish reaches the streams of its user on the other server', async () => {
    const stream = await openStream(other, ann)
    await one.call(setAlert, { userId: bea.userId, isWanted: false }, ann)
    await stream.until((stream) => stream.of('alerts-changed').length === 1)
    stream.leave()
  })

  test('a failed NOTIFY of a quit is retried', async () => {
    const connectionId = await makeConnection(one, ann, bea)
    const beaStream = await openStream(other, bea)
    const query = one.db.query
    const spy = vi.spyOn(one.db, 'query').mockImplementation(async (statement, values) => {
      if (statement.name !== 'live.notify') return query(statement, values)
      spy.mockRestore()
      throw new Error('timeout exceeded when trying to connect')
    })
    await one.call(quitConnection, { connectionId }, ann)
    await beaStream.until((stream) => stream.of('team-changed').length === 1)
    beaStream.leave()
  })

  test('a sign-out on one server takes effect on the other immediately', async () => {
    const cleo = await makeUser(one)
    const stream = await openStream(other, cleo)
    const headers = { authorization: `Bearer ${cleo.accessToken}` }
    await one.app.inject({ method: 'POST', url: '/auth/v1/logout', headers })
    await stream.until(({ hasEnded }) => hasEnded)
    expect((await openStream(other, cleo)).status).toBe(401)
  })

  test('a sign-in that its owner ends on one server ends on the other immediately', async () => {
    const cleo = await makeUser(one)
    const { data } = await createAuthClient(one.app).signInWithPassword({ email: cleo.email, password: PASSWORD })
    const lost = { ...cleo, accessToken: data.session?.access_token ?? '' }
    const stream = await openStream(other, lost)
    expect((await one.call(endAuthSession, { id: authSessionOf(lost) }, cleo)).body).toEqual({ ended: 1 })
    await stream.until(({ hasEnded }) => hasEnded)
    expect((await openStream(other, lost)).status).toBe(401)
  })

  test('threat 64: a person whom the directory deactivates on one server is signed out on the other within 5 seconds', async () => {
    const directory = await openDirectory(one, 'leaving.example')
    const cleo = await makeUser(one, { email: 'cleo@leaving.example' })
    const dan = await makeUser(one, { email: 'dan@leaving.example' })
    await makeConnection(one, cleo, dan)
    const { id } = await directory.add(cleo.email)
    await one.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, cleo)
    const [here, there, dans] = [
      await openStream(one, cleo),
      await openStream(other, cleo),
      await openStream(other, dan),
    ]
    await directory.patch(id, { op: 'Replace', path: 'active', value: 'False' })
    const answered = performance.now()
    const refusalsAt = async (server: TestApp, stream: TestStream) => {
      const refreshed = createAuthClient(server.app).refreshSession({ refresh_token: cleo.refreshToken })
      const timed = async (work: Promise<unknown>) => {
        await work
        return Math.ceil(performance.now() - answered)
      }
      const stops = [
        timed(until(async () => (await server.call(readTeam, {}, cleo)).status === 401)),
        timed(refreshed.then(({ error }) => expect(error?.code).toBe('refresh_token_not_found'))),
        timed(stream.until(({ hasEnded }) => hasEnded)),
      ]
      return Promise.all(stops)
    }
    const times = await Promise.all([refusalsAt(one, here), refusalsAt(other, there)])
    await dans.until((stream) => stream.of('team-changed').length > 0)
    for (const [server, [access, refresh, stream]] of Object.entries({
      'the server of the directory': times[0],
      'another server': times[1],
    })) {
      console.log(
        `${server}: access token refused ${access}, refresh ${refresh}, stream closed ${stream} ms after the answer`,
      )
    }
    expect(Math.max(...times.flat())).toBeLessThan(5_000)
    for (const server of [one, other]) expect((await openStream(server, cleo)).status).toBe(401)
    expect((await other.call(readTeam, {}, dan)).body.connections).toEqual([])
    dans.leave()
  })

  test('an account that the administrator deletes is signed out immediately, and its connections refetch the team', async () => {
    const cleo = await makeUser(one)
    await makeConnection(one, cleo, bea)
    const [cleoStream, beaStream] = [await openStream(other, cleo), await openStream(other, bea)]
    await deleteUser(one.db, cleo.email, one.auth.config)
    await cleoStream.until(({ hasEnded }) => hasEnded)
    await beaStream.until((stream) => stream.of('team-changed').length === 1)
    beaStream.leave()
  })

  test('threat 122: a person in deeb mode whom the administrator blocks is off and signed out within a second', async () => {
    const cleo = await makeUser(one)
    await makeConnection(one, cleo, bea)
    await one.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, cleo)
    const [cleoStream, beaStream] = [await openStream(other, cleo), await openStream(other, bea)]
    const beganAtMs = performance.now()
    await blockUser(one.db, cleo.email, one.clock.now())
    await cleoStream.until(({ hasEnded }) => hasEnded)
    await beaStream.until((stream) =>
      stream.of('presence').some(({ userId, presence }) => userId === cleo.userId && !presence.inDeebMode),
    )
    expect(performance.now() - beganAtMs).toBeLessThan(1000)
    // They stay connected, for an unblock.
    expect((await other.call(readTeam, {}, bea)).body.connections).toHaveLength(1)
    expect((await openStream(other, cleo)).status).toBe(401)
    beaStream.leave()
  })

  test('an account that the administrator signs out is signed out on every server within a second', async () => {
    const cleo = await makeUser(one)
    const stream = await openStream(other, cleo)
    const beganAtMs = performance.now()
    await signOutUser(one.db, cleo.email, one.clock.now())
    await stream.until(({ hasEnded }) => hasEnded)
    expect(performance.now() - beganAtMs).toBeLessThan(1000)
    expect((await openStream(other, cleo)).status).toBe(401)
  })

  test('connections that end with a company are published to both sides', async () => {
    const [dan, eve] = [await makeUser(one), await makeUser(one)]
    await makeConnection(one, dan, eve)
    const streams = [await openStream(other, dan), await openStream(other, eve)]
    const policy = await one.auth.companyPolicy()
    await applyCompanies(one.db, { ...policy, companyDomains: new Set(['elsewhere.example']) }, one.clock.now())
    for (const stream of streams) {
      await stream.until(() => stream.of('team-changed').length > 0)
      stream.leave()
    }
    await applyCompanies(one.db, policy, one.clock.now())
  })

  test('a bus that lost its connection publishes `missed` and reconnects', async () => {
    const db = await openPostgres(url)
    const [sender, receiver] = [await openBus(directUrlOf(url), db), await openBus(directUrlOf(url), db)]
    const received: ChangeEvent[] = []
    receiver.subscribe((event) => received.push(event))
    const cut = statement(
      'test.cut',
      `select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen deeb_live' and datname = current_database()`,
    )
    await db.query(cut)
    await until(() => received.some(({ kind }) => kind === 'missed'))
    const event: ChangeEvent = { kind: 'team', id: uuidv7() }
    sender.publish(event)
    await until(() => received.some((other) => other.kind === 'team'))
    expect(received).toContainEqual(event)
    for (const bus of [sender, receiver]) await bus.close()
    await db.close()
  })

  test('a bus reads and sends what servers of the version before do during a rolling upgrade', async () => {
    const db = await openPostgres(url)
    const bus = await openBus(directUrlOf(url), db)
    const kinds = ['presence', 'history', 'team', 'session', 'still-on', 'alerts', 'sign'] as const
    const events = kinds.map((kind) => ({ kind, id: uuidv7() }))
    const words = events.map(({ id }, n) => `${'phtsoad'[n]}${id}`).join(' ')
    const received: ChangeEvent[] = []
    const stop = bus.subscribe((event) => received.push(event))
    const notify = statement('test.notify', `select pg_notify('deeb_live', :payload)`)
    await db.query(notify, { payload: `0a1b2c3d ${words}` })
    await until(() => received.length === events.length)
    expect(received).toEqual(events)
    stop()

    const older = new pg.Client({ connectionString: directUrlOf(url) })
    const payloads: string[] = []
    older.on('notification', ({ payload = '' }) => payloads.push(payload))
    await older.connect()
    await older.query('listen deeb_live')
    for (const event of events) bus.publish(event)
    await until(() => payloads.some((payload) => payload.endsWith(words)))
    expect(payloads.find((payload) => payload.endsWith(words))).toHaveLength(8 + 1 + words.length)
    await older.end()
    await bus.close()
    await db.close()
  })

  test('a bus delivers many events in order and once, and ignores malformed ones', async () => {
    const db = await openPostgres(url)
    const [sender, receiver] = [await openBus(directUrlOf(url), db), await openBus(directUrlOf(url), db)]
    const [own, received]: [ChangeEvent[], ChangeEvent[]] = [[], []]
    sender.subscribe((event) => own.push(event))
    receiver.subscribe((event) => received.push(event))
    await db.query(statement('test.nonsense', `select pg_notify('deeb_live', 'x p1 team ' || :word)`), {
      word: `p${'z'.repeat(36)}`,
    })
    const sent: ChangeEvent[] = Array.from({ length: 1000 }, () => ({ kind: 'presence', id: uuidv7() }))
    for (const event of sent) sender.publish(event)
    await until(() => received.length >= 1000)
    expect(received).toEqual(sent)
    expect(own).toEqual(sent)
    for (const bus of [sender, receiver]) await bus.close()
    await db.close()
  })
})
