import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { statement } from '../db/db.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { createTestDatabase } from '../testing/test-database.ts'

const startAt = (testApp: TestApp, user: MadeUser, sessionId: string) =>
  testApp.call(startFocus, { sessionId, timeZone: 'UTC' }, user)
const stopAt = (testApp: TestApp, user: MadeUser, sessionId: string) => testApp.call(stopFocus, { sessionId }, user)
const savedAt = async (testApp: TestApp, user: MadeUser) =>
  (await testApp.call(readHome, { timeZone: 'UTC' }, user)).body.today.savedSeconds

/** Reads Home with this access token, and returns the status. */
async function statusAt({ app }: TestApp, accessToken: string) {
  const headers = { authorization: `Bearer ${accessToken}` }
  return (await app.inject({ url: '/api/home', query: { timeZone: 'UTC' }, headers })).statusCode
}

async function refreshAt({ app }: TestApp, refreshToken: string) {
  const url = '/auth/v1/token?grant_type=refresh_token'
  const answer = await app.inject({ method: 'POST', url, payload: { refresh_token: refreshToken } })
  return { status: answer.statusCode, ...answer.json() }
}

describe('a server clock that is corrected during a focus session', () => {
  let testApp: TestApp
  let ann: MadeUser
  beforeAll(async () => {
    testApp = await startTestApp()
  })
  afterAll(() => testApp.close())
  beforeEach(async () => {
    testApp.clock.set('2026-06-15T09:00:00Z')
    ann = await makeUser(testApp)
  })

  test('set back by an hour: saves no negative time, signs out nobody and counts the next session', async () => {
    const first = uuidv7()
    await startAt(testApp, ann, first)
    testApp.clock.set('2026-06-15T08:00:00Z')
    expect(await statusAt(testApp, ann.accessToken)).toBe(200)
    expect((await stopAt(testApp, ann, first)).status).toBe(200)
    expect(await savedAt(testApp, ann)).toBe(0)
    const refreshed = await refreshAt(testApp, ann.refreshToken)
    expect(refreshed.status).toBe(200)
    expect(await statusAt(testApp, refreshed.access_token)).toBe(200)
    const second = uuidv7()
    expect((await startAt(testApp, ann, second)).status).toBe(200)
    testApp.clock.set('2026-06-15T08:10:00Z')
    await stopAt(testApp, ann, second)
    expect(await savedAt(testApp, ann)).toBe(600)
    await expectConsistent(testApp, ann)
  })

  test.each([
    ['three hours', '2026-06-15T12:00:00Z', '2026-06-15T09:00:00.417Z'],
    ['a day', '2026-06-16T09:00:00Z', '2026-06-15T09:00:00.999Z'],
    ['a second', '2026-06-15T09:00:01Z', '2026-06-15T09:00:00.001Z'],
  ])('set back by %s after switches: people can switch on, at any millisecond', async (_name, ahead, corrected) => {
    testApp.clock.set(ahead)
    const ben = await makeUser(testApp)
    const ended = uuidv7()
    await startAt(testApp, ann, ended)
    testApp.clock.advance({ seconds: 40 })
    await stopAt(testApp, ann, ended)
    await startAt(testApp, ben, uuidv7())
    testApp.clock.set(corrected)
    for (const user of [ann, ben]) {
      const sessionId = uuidv7()
      expect((await startAt(testApp, user, sessionId)).status).toBe(200)
      testApp.clock.advance({ seconds: 3 })
      expect((await stopAt(testApp, user, sessionId)).status).toBe(200)
      await expectConsistent(testApp, user)
    }
  })

  test('set forward by two hours: expires the access token and keeps both the auth session and the focus session', async () => {
    const sessionId = uuidv7()
    await startAt(testApp, ann, sessionId)
    testApp.clock.set('2026-06-15T11:00:00Z')
    expect(await statusAt(testApp, ann.accessToken)).toBe(401)
    const refreshed = await refreshAt(testApp, ann.refreshToken)
    expect(refreshed.status).toBe(200)
    expect(await statusAt(testApp, refreshed.access_token)).toBe(200)
    expect((await stopAt(testApp, ann, sessionId)).status).toBe(200)
    expect(await savedAt(testApp, ann)).toBe(7200)
    await expectConsistent(testApp, ann)
  })

  test('set back: applies a sign-out of another process within 30 seconds', async () => {
    expect(await statusAt(testApp, ann.accessToken)).toBe(200)
    testApp.clock.set('2026-06-15T08:00:00Z')
    // Another process, whose change events do not arrive here.
    await testApp.db.query(statement('test.end', 'delete from auth.sessions where user_id = :userId'), {
      userId: ann.userId,
    })
    testApp.clock.advance({ seconds: 30 })
    expect(await statusAt(testApp, ann.accessToken)).toBe(401)
  })
})

describe.skipIf(inject('template').engine === 'embedded')('two servers whose clocks are 20 seconds apart', () => {
  let ahead: TestApp
  let behind: TestApp
  let ann: MadeUser
  beforeAll(async () => {
    const env = { DATABASE_URL: await createTestDatabase(), DEEB_SECRET: 'ab'.repeat(32) }
    ahead = await startTestApp(env)
    behind = await startTestApp(env)
    ahead.clock.set('2026-06-15T09:00:20Z')
    behind.clock.set('2026-06-15T09:00:00Z')
    ann = await makeUser(ahead)
  })
  afterAll(async () => {
    await ahead.close()
    await behind.close()
  })

  test('accept alternating switches of one user and keep totals equal to the sessions', async () => {
    for (const [on, off] of [
      [ahead, behind],
      [behind, ahead],
      [ahead, ahead],
      [behind, behind],
    ] as const) {
      const sessionId = uuidv7()
      expect((await startAt(on, ann, sessionId)).status).toBe(200)
      for (const { clock } of [ahead, behind]) clock.advance({ minutes: 1 })
      expect((await stopAt(off, ann, sessionId)).status).toBe(200)
    }
    await expectConsistent(ahead, ann)
    // Four minutes, up to the difference of the two clocks.
    expect(await savedAt(behind, ann)).toBeGreaterThanOrEqual(4 * 60 - 2 * 20)
    expect(await savedAt(behind, ann)).toBeLessThanOrEqual(4 * 60 + 20)
  })

  test('sign out nobody when a refresh is retried on the other server', async () => {
    for (const [first, second] of [
      [ahead, behind],
      [behind, ahead],
    ] as const) {
      const bea = await makeUser(first)
      const one = await refreshAt(first, bea.refreshToken)
      const again = await refreshAt(second, bea.refreshToken)
      expect([one.status, again.status, again.refresh_token]).toEqual([200, 200, one.refresh_token])
      for (const server of [first, second]) expect(await statusAt(server, again.access_token)).toBe(200)
    }
  })
})
