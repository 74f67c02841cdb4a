import { deleteAccount } from '@deeb/core/account/api'
import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { LIVE_PATH } from '@deeb/core/live-events'
import { correctSession, discardSession, keepSession, readSessions } from '@deeb/core/sessions/api'
import { answerRequest, quitConnection, readTeam, requestConnection } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { APPS } from '../testing/apps.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makeUser, PASSWORD } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

let testApp: TestApp
let ann: MadeUser
let bea: MadeUser
beforeAll(async () => {
  testApp = await startTestApp(APPS)
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.clock.set('2026-06-15T09:00:00.000Z')
  ann = await makeUser(testApp)
  bea = await makeUser(testApp)
})

const start = async (by: MadeUser) =>
  (await testApp.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, by)).body.session
const stop = (by: MadeUser, sessionId: string) => testApp.call(stopFocus, { sessionId }, by)
const ask = async (by: MadeUser, whom: MadeUser) =>
  (await testApp.call(requestConnection, { userId: whom.userId }, by)).body.connectionId
const answer = (by: MadeUser, requestId: string, said: 'accepted' | 'declined') =>
  testApp.call(answerRequest, { requestId, answer: said }, by)

describe('a stream', () => {
  test('begins with the own state, in the headers that keep proxies from holding it back', async () => {
    const session = await start(ann)
    const stream = await openStream(testApp, ann)
    expect(stream.of('hello')).toMatchObject([{ openSession: session, serverTime: '2026-06-15T09:00:00.000Z' }])
    expect(stream.headers['content-type']).toMatch(/^text\/event-stream/)
    expect(stream.headers['x-accel-buffering']).toBe('no')
    expect(stream.headers['cache-control']).toBe('no-store')
    expect(stream.headers['content-security-policy']).toContain("default-src 'none'")
    stream.leave()
  })

  test('is for who is signed in', async () => {
    for (const accessToken of ['', 'x.y.z', `${ann.accessToken}x`]) {
      expect((await openStream(testApp, { accessToken })).status).toBe(401)
    }
    expect((await testApp.app.inject({ method: 'HEAD', url: LIVE_PATH })).statusCode).toBe(404)
  })

  test('may be read by the native apps, which have an origin of their own', async () => {
    const stream = await openStream(testApp, ann, { origin: 'capacitor://localhost' })
    expect(stream.headers['access-control-allow-origin']).toBe('capacitor://localhost')
    stream.leave()
  })

  test('ends when the access token does', async () => {
    const stream = await openStream(testApp, ann)
    testApp.clock.advance({ hours: 1, seconds: 1 })
    await stream.until(({ hasEnded }) => hasEnded)
    expect(stream.of('bye')).toEqual([{ type: 'bye', reason: 'renew' }])
  })

  test('lives half an hour at the most', async () => {
    const stream = await openStream(testApp, ann)
    testApp.clock.advance({ minutes: 30, seconds: 1 })
    await stream.until(({ hasEnded }) => hasEnded)
    expect(stream.of('bye')).toEqual([{ type: 'bye', reason: 'renew' }])
  })

  test('ends at once when its session does, and cannot be opened again', async () => {
    const [here, elsewhere] = [await openStream(testApp, ann), await openStream(testApp, bea)]
    const headers = { authorization: `Bearer ${ann.accessToken}` }
    await testApp.app.inject({ method: 'POST', url: '/auth/v1/logout?scope=local', headers })
    await here.until(({ hasEnded }) => hasEnded)
    expect((await openStream(testApp, ann)).status).toBe(401)
    expect(elsewhere.hasEnded).toBe(false)
    elsewhere.leave()
  })

  test('goes on whatever a token that was copied into another browser asks for', async () => {
    const signedIn = await testApp.app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      headers: { origin: 'http://localhost:3000' },
      payload: { email: ann.email, password: PASSWORD },
    })
    const { access_token: accessToken } = signedIn.json()
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
    const stream = await openStream(testApp, { accessToken }, { cookie })
    expect(stream.status).toBe(200)
    const headers = { authorization: `Bearer ${accessToken}` }
    for (const [method, url] of [
      ['GET', '/auth/v1/user'],
      ['POST', '/auth/v1/logout?scope=global'],
    ] as const) {
      expect((await testApp.app.inject({ method, url, headers })).json().code).toBe('session_not_found')
    }
    await start(ann)
    await stream.until((stream) => stream.of('me-changed').length > 0)
    expect(stream.of('bye')).toEqual([])
    stream.leave()
  })

  test('of a person with too many gives way to the newest', async () => {
    const streams = []
    for (let n = 0; n < 21; n++) streams.push(await openStream(testApp, ann))
    await streams[0]?.until(({ hasEnded }) => hasEnded)
    expect(streams[0]?.of('bye')).toEqual([{ type: 'bye', reason: 'too-many' }])
    await start(ann)
    for (const stream of streams.slice(1)) {
      await stream.until((stream) => stream.of('me-changed').length > 0)
      stream.leave()
    }
  })
})

describe('the own switch', () => {
  test('moves on every other device', async () => {
    const devices = [await openStream(testApp, ann), await openStream(testApp, ann)]
    const session = await start(ann)
    for (const device of devices) {
      await device.until((stream) => stream.of('me-changed').length === 1)
      expect(device.of('me-changed')[0]).toMatchObject({ openSession: session })
    }
    testApp.clock.advance({ minutes: 5 })
    await stop(ann, session.id)
    for (const device of devices) {
      await device.until((stream) => stream.of('me-changed').length === 2)
      const [on, off] = device.of('me-changed')
      expect(off).toMatchObject({ openSession: null, serverTime: '2026-06-15T09:05:00.000Z' })
      expect(off?.version).toBeGreaterThan(on?.version ?? Number.POSITIVE_INFINITY)
      device.leave()
    }
  })

  test('that was pressed on and off without a network is news to the other devices', async () => {
    const device = await openStream(testApp, ann)
    const sessionId = uuidv7()
    const changes = [
      { to: 'on' as const, sessionId, timeZone: 'UTC', actedAt: '2026-06-15T08:00:00.000Z' },
      { to: 'off' as const, sessionId, actedAt: '2026-06-15T08:30:00.000Z' },
    ]
    await testApp.call(replaySwitches, { sentAt: '2026-06-15T09:00:00.000Z', changes }, ann)
    await device.until((stream) => stream.of('me-changed').length === 1)
    const [news] = device.of('me-changed')
    expect(news?.openSession).toBeNull()
    expect(news?.version).toBeGreaterThan(device.of('hello')[0]?.version ?? Number.POSITIVE_INFINITY)
    device.leave()
  })
})

describe('the own past', () => {
  /** Somebody with a session of 16 hours that was forgotten, whose two devices are told what becomes of it. */
  async function listenAfterForgetting() {
    const sessionId = uuidv7()
    const times = { actedAt: '2026-06-14T17:30:00.000Z', sentAt: '2026-06-15T09:00:00.000Z' }
    await testApp.call(startFocus, { sessionId, timeZone: 'UTC', times }, ann)
    testApp.clock.advance({ minutes: 40 })
    await stop(ann, sessionId)
    const devices = [await openStream(testApp, ann), await openStream(testApp, ann)]
    return { sessionId, devices }
  }

  test.each([
    [
      'corrected',
      (sessionId: string) => testApp.call(correctSession, { sessionId, endedAt: '2026-06-14T18:00:00.000Z' }, ann),
    ],
    ['deleted', (sessionId: string) => testApp.call(discardSession, { sessionId }, ann)],
    ['kept', (sessionId: string) => testApp.call(keepSession, { sessionId }, ann)],
  ])('that is %s is news to every device, in the version that a read then gives', async (_, change) => {
    const { sessionId, devices } = await listenAfterForgetting()
    expect((await change(sessionId)).status).toBe(200)
    const { version } = (await testApp.call(readSessions, {}, ann)).body
    for (const device of devices) {
      await device.until((stream) => stream.of('me-changed').length === 1)
      expect(device.of('me-changed')).toMatchObject([{ openSession: null, version }])
      expect(version).toBeGreaterThan(device.of('hello')[0]?.version ?? Number.POSITIVE_INFINITY)
      device.leave()
    }
  })
})

test('who is asked is told, however their id is spelled', async () => {
  const stream = await openStream(testApp, bea)
  expect((await testApp.call(requestConnection, { userId: bea.userId.toUpperCase() }, ann)).status).toBe(200)
  await stream.until((stream) => stream.of('team-changed').length === 1)
  stream.leave()
})

describe('a connection', () => {
  test('is told of the switch, since when, in the version that a read would give', async () => {
    await makeConnection(testApp, ann, bea)
    const stream = await openStream(testApp, ann)
    const session = await start(bea)
    await stream.until((stream) => stream.of('presence').length === 1)
    const { connections } = (await testApp.call(readTeam, {}, ann)).body
    expect(connections[0]?.presence).toMatchObject({ inDeebMode: true, since: session.startedAt })
    expect(stream.of('presence')[0]).toEqual({
      type: 'presence',
      userId: bea.userId,
      presence: connections[0]?.presence,
    })
    await stop(bea, session.id)
    await stream.until((stream) => stream.of('presence').length === 2)
    expect(stream.of('presence')[1]?.presence).toMatchObject({ inDeebMode: false, since: null })
    stream.leave()
  })

  test('that is asked for, accepted and quit says so to both sides', async () => {
    const streams = [await openStream(testApp, ann), await openStream(testApp, bea)]
    const bothHear = async (times: number) => {
      for (const stream of streams) await stream.until((stream) => stream.of('team-changed').length === times)
    }
    const id = await ask(ann, bea)
    await bothHear(1)
    await answer(bea, id, 'accepted')
    await bothHear(2)
    await testApp.call(quitConnection, { connectionId: id }, bea)
    await bothHear(3)
    for (const stream of streams) stream.leave()
  })

  test('that is declined says so to nobody but who declined', async () => {
    const id = await ask(ann, bea)
    const [asked, declines] = [await openStream(testApp, ann), await openStream(testApp, bea)]
    await answer(bea, id, 'declined')
    await declines.until((stream) => stream.of('team-changed').length === 1)
    await start(ann)
    await asked.until((stream) => stream.of('me-changed').length === 1)
    expect(asked.of('team-changed')).toEqual([])
    asked.leave()
    declines.leave()
  })

  test('goes with an account that is deleted, whose streams end', async () => {
    await makeConnection(testApp, ann, bea)
    const [gone, stays] = [await openStream(testApp, ann), await openStream(testApp, bea)]
    await testApp.call(deleteAccount, { password: PASSWORD }, ann)
    await gone.until(({ hasEnded }) => hasEnded)
    await stays.until((stream) => stream.of('team-changed').length === 1)
    stays.leave()
  })
})

test('a server that stops says goodbye and stops', async () => {
  const other = await startTestApp()
  const stream = await openStream(other, await makeUser(other))
  await other.close()
  await stream.until(({ hasEnded }) => hasEnded)
  expect(stream.of('bye')).toEqual([{ type: 'bye', reason: 'restart' }])
})
