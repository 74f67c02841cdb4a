import { deleteAccount } from '@deeb/core/account/api'
import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { LIVE_PATH } from '@deeb/core/live-events'
import { correctSession, discardSession, keepSession } from '@deeb/core/sessions/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import { answerRequest, quitConnection, readTeam, requestConnection, takeBackRequest } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { APPS } from '../testing/apps.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makeUser, PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import type { TestApp } from '../testing/test-app.ts'
import { startTestApp } from '../testing/test-app.ts'

const test = base.extend('settings', { scope: 'file' }, APPS).extend('live', ({ app, clock }) => {
  const start = async (by: MadeUser) =>
    (await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, by)).body.session
  const stop = (by: MadeUser, sessionId: string) => app.call(stopFocus, { sessionId }, by)
  const ask = async (by: MadeUser, whom: MadeUser) =>
    (await app.call(requestConnection, { userId: whom.userId }, by)).body.connectionId
  const answer = (by: MadeUser, requestId: string, reply: 'accepted' | 'declined') =>
    app.call(answerRequest, { requestId, answer: reply }, by)
  /** Makes a forgotten session of 16 hours and opens streams on two devices. */
  async function openAfterForgotten() {
    const sessionId = uuidv7()
    const times = { actedAt: '2026-06-14T17:30:00.000Z', sentAt: '2026-06-15T09:00:00.000Z' }
    await app.call(startFocus, { sessionId, timeZone: 'UTC', times }, ann)
    clock.advance({ minutes: 40 })
    await stop(ann, sessionId)
    const devices = [await openStream(app, ann), await openStream(app, ann)]
    return { sessionId, devices }
  }
  return { start, stop, ask, answer, openAfterForgotten }
})

let ann: MadeUser
let bea: MadeUser
test.beforeEach(async ({ app, clock }) => {
  clock.set('2026-06-15T09:00:00.000Z')
  ann = await makeUser(app)
  bea = await makeUser(app)
})

describe('a stream', () => {
  test("begins with the user's state, with headers against buffering by proxies", async ({ app, live }) => {
    const session = await live.start(ann)
    const stream = await openStream(app, ann)
    expect(stream.of('hello')).toMatchObject([{ openSession: session, serverTime: '2026-06-15T09:00:00.000Z' }])
    expect(stream.headers['content-type']).toMatch(/^text\/event-stream/)
    expect(stream.headers['x-accel-buffering']).toBe('no')
    expect(stream.headers['cache-control']).toBe('no-store')
    expect(stream.headers['content-security-policy']).toContain("default-src 'none'")
    stream.leave()
  })

  test('requires a valid access token', async ({ app }) => {
    for (const accessToken of ['', 'x.y.z', `${ann.accessToken}x`]) {
      expect((await openStream(app, { accessToken })).status).toBe(401)
    }
    expect((await app.inject({ method: 'HEAD', url: LIVE_PATH })).statusCode).toBe(404)
  })

  test('allows the origin of the native apps (CORS)', async ({ app }) => {
    const stream = await openStream(app, ann, { origin: 'capacitor://localhost' })
    expect(stream.headers['access-control-allow-origin']).toBe('capacitor://localhost')
    stream.leave()
  })

  test('ends when the access token expires', async ({ app, clock }) => {
    const stream = await openStream(app, ann)
    clock.advance({ hours: 1, seconds: 1 })
    await stream.until(({ hasEnded }) => hasEnded)
    expect(stream.of('bye')).toEqual([{ type: 'bye', reason: 'renew' }])
  })

  test('ends after 30 minutes at most', async ({ app, clock }) => {
    const stream = await openStream(app, ann)
    clock.advance({ minutes: 30, seconds: 1 })
    await stream.until(({ hasEnded }) => hasEnded)
    expect(stream.of('bye')).toEqual([{ type: 'bye', reason: 'renew' }])
  })

  test('ends immediately with its auth session and cannot be reopened', async ({ app }) => {
    const [here, elsewhere] = [await openStream(app, ann), await openStream(app, bea)]
    const headers = { authorization: `Bearer ${ann.accessToken}` }
    await app.inject({ method: 'POST', url: '/auth/v1/logout?scope=local', headers })
    await here.until(({ hasEnded }) => hasEnded)
    expect((await openStream(app, ann)).status).toBe(401)
    expect(elsewhere.hasEnded).toBe(false)
    elsewhere.leave()
  })

  test('continues when a stolen access token is used in another browser', async ({ app, live }) => {
    const signedIn = await app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      headers: { origin: 'http://localhost:3000' },
      payload: { email: ann.email, password: PASSWORD },
    })
    const { access_token: accessToken } = signedIn.json()
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
    const stream = await openStream(app, { accessToken }, { cookie })
    expect(stream.status).toBe(200)
    const headers = { authorization: `Bearer ${accessToken}` }
    for (const [method, url] of [
      ['GET', '/auth/v1/user'],
      ['POST', '/auth/v1/logout?scope=global'],
    ] as const) {
      expect((await app.inject({ method, url, headers })).json().code).toBe('session_not_found')
    }
    await live.start(ann)
    await stream.until((stream) => stream.of('me-changed').length > 0)
    expect(stream.of('bye')).toEqual([])
    stream.leave()
  })

  test('ends when its user opens too many newer ones', async ({ app, live }) => {
    const streams = []
    for (let n = 0; n < 21; n++) streams.push(await openStream(app, ann))
    await streams[0]?.until(({ hasEnded }) => hasEnded)
    expect(streams[0]?.of('bye')).toEqual([{ type: 'bye', reason: 'too-many' }])
    await live.start(ann)
    for (const stream of streams.slice(1)) {
      await stream.until((stream) => stream.of('me-changed').length > 0)
      stream.leave()
    }
  })
})

describe('a switch of the user', () => {
  test('is delivered to all their devices', async ({ app, clock, live }) => {
    const devices = [await openStream(app, ann), await openStream(app, ann)]
    const session = await live.start(ann)
    for (const device of devices) {
      await device.until((stream) => stream.of('me-changed').length === 1)
      expect(device.of('me-changed')[0]).toMatchObject({ openSession: session })
    }
    clock.advance({ minutes: 5 })
    await live.stop(ann, session.id)
    for (const device of devices) {
      await device.until((stream) => stream.of('me-changed').length === 2)
      const [on, off] = device.of('me-changed')
      expect(off).toMatchObject({ openSession: null, serverTime: '2026-06-15T09:05:00.000Z' })
      expect(off?.version).toBeGreaterThan(on?.version ?? Number.POSITIVE_INFINITY)
      device.leave()
    }
  })

  test('on and off in a replay is delivered with a new version', async ({ app }) => {
    const device = await openStream(app, ann)
    const sessionId = uuidv7()
    const changes = [
      { to: 'on' as const, sessionId, timeZone: 'UTC', actedAt: '2026-06-15T08:00:00.000Z' },
      { to: 'off' as const, sessionId, actedAt: '2026-06-15T08:30:00.000Z' },
    ]
    await app.call(replaySwitches, { sentAt: '2026-06-15T09:00:00.000Z', changes }, ann)
    await device.until((stream) => stream.of('me-changed').length === 1)
    const [change] = device.of('me-changed')
    expect(change?.openSession).toBeNull()
    expect(change?.version).toBeGreaterThan(device.of('hello')[0]?.version ?? Number.POSITIVE_INFINITY)
    device.leave()
  })
})

describe('an earlier session of the user', () => {
  test.for([
    [
      'corrected',
      (app: TestApp, sessionId: string) =>
        app.call(correctSession, { sessionId, endedAt: '2026-06-14T18:00:00.000Z' }, ann),
    ],
    ['deleted', (app: TestApp, sessionId: string) => app.call(discardSession, { sessionId }, ann)],
    ['kept', (app: TestApp, sessionId: string) => app.call(keepSession, { sessionId }, ann)],
  ] as const)(
    'threat 153: that is %s is delivered to every device of the user, and to no colleague',
    async ([_, change], { app, live }) => {
      await makeConnection(app, ann, bea)
      const { sessionId, devices } = await live.openAfterForgotten()
      const colleague = await openStream(app, bea)
      expect((await change(app, sessionId)).status).toBe(200)
      const { version } = (await app.call(readSessions, {}, ann)).body
      for (const device of devices) {
        await device.until((stream) => stream.of('me-changed').length === 1)
        expect(device.of('me-changed')).toMatchObject([{ openSession: null, version }])
        expect(version).toBeGreaterThan(device.of('hello')[0]?.version ?? Number.POSITIVE_INFINITY)
        device.leave()
      }
      await live.start(ann)
      await colleague.until((stream) => stream.of('presence').length > 0)
      expect(colleague.of('presence')).toMatchObject([{ presence: { inDeebMode: true } }])
      colleague.leave()
    },
  )
})

test('a connection request is delivered to its receiver, also with an upper-case id', async ({ app }) => {
  const stream = await openStream(app, bea)
  expect((await app.call(requestConnection, { userId: bea.userId.toUpperCase() }, ann)).status).toBe(200)
  await stream.until((stream) => stream.of('team-changed').length === 1)
  stream.leave()
})

describe('a connection', () => {
  test('receives the switch with its start, as in the team', async ({ app, live }) => {
    await makeConnection(app, ann, bea)
    const stream = await openStream(app, ann)
    const session = await live.start(bea)
    await stream.until((stream) => stream.of('presence').length === 1)
    const { connections } = (await app.call(readTeam, {}, ann)).body
    expect(connections[0]?.presence).toMatchObject({ inDeebMode: true, since: session.startedAt })
    expect(stream.of('presence')[0]).toEqual({
      type: 'presence',
      userId: bea.userId,
      presence: connections[0]?.presence,
    })
    await live.stop(bea, session.id)
    await stream.until((stream) => stream.of('presence').length === 2)
    expect(stream.of('presence')[1]?.presence).toMatchObject({ inDeebMode: false, since: null })
    stream.leave()
  })

  test('is refetched by both sides after request, acceptance and quit', async ({ app, live }) => {
    const streams = [await openStream(app, ann), await openStream(app, bea)]
    const bothReceive = async (times: number) => {
      for (const stream of streams) await stream.until((stream) => stream.of('team-changed').length === times)
    }
    const id = await live.ask(ann, bea)
    await bothReceive(1)
    await live.answer(bea, id, 'accepted')
    await bothReceive(2)
    await app.call(quitConnection, { connectionId: id }, bea)
    await bothReceive(3)
    for (const stream of streams) stream.leave()
  })

  test('that is declined is published only to the user who declined', async ({ app, live }) => {
    const id = await live.ask(ann, bea)
    const [requester, receiver] = [await openStream(app, ann), await openStream(app, bea)]
    await live.answer(bea, id, 'declined')
    await receiver.until((stream) => stream.of('team-changed').length === 1)
    await live.start(ann)
    await requester.until((stream) => stream.of('me-changed').length === 1)
    expect(requester.of('team-changed')).toEqual([])
    requester.leave()
    receiver.leave()
  })

  test.for(['pending', 'declined'])('%s: its requester receives the same events', async (status, { app, live }) => {
    const id = await live.ask(ann, bea)
    if (status === 'declined') await live.answer(bea, id, 'declined')
    const [requester, receiver] = [await openStream(app, ann), await openStream(app, bea)]
    await app.call(takeBackRequest, { requestId: id }, ann)
    await requester.until((stream) => stream.of('team-changed').length === 1)
    await receiver.until((stream) => stream.of('team-changed').length === 1)
    await app.call(takeBackRequest, { requestId: id }, ann)
    await live.ask(ann, bea)
    await requester.until((stream) => stream.of('team-changed').length === 2)
    await app.call(deleteAccount, { password: PASSWORD }, bea)
    await requester.until((stream) => stream.of('team-changed').length === 3)
    await live.start(ann)
    await requester.until((stream) => stream.of('me-changed').length === 1)
    expect(requester.of('team-changed')).toHaveLength(3)
    requester.leave()
    receiver.leave()
  })

  test('ends with a deleted account, and so do its streams', async ({ app }) => {
    await makeConnection(app, ann, bea)
    const [gone, stays] = [await openStream(app, ann), await openStream(app, bea)]
    await app.call(deleteAccount, { password: PASSWORD }, ann)
    await gone.until(({ hasEnded }) => hasEnded)
    await stays.until((stream) => stream.of('team-changed').length === 1)
    stays.leave()
  })
})

test('graceful shutdown ends streams with `restart`', async () => {
  const other = await startTestApp()
  const stream = await openStream(other, await makeUser(other))
  await other.close()
  await stream.until(({ hasEnded }) => hasEnded)
  expect(stream.of('bye')).toEqual([{ type: 'bye', reason: 'restart' }])
})
