import { deleteAccount, readMyData } from '@deeb/core/account/api'
import { replaySwitches, setTarget, startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { correctSession, discardSession, keepSession, readSessions, restoreSession } from '@deeb/core/sessions/api'
import { readTeam } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { statement, violatedConstraint } from '../db/db.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makeUser, PASSWORD } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { closeForgottenSessions } from './close-forgotten.ts'
import { closeOpenSession } from './close-open.ts'

let testApp: TestApp
let ann: MadeUser
let bea: MadeUser
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.clock.set('2026-06-15T07:00:00.000Z')
  ann = await makeUser(testApp)
  bea = await makeUser(testApp)
  await makeConnection(testApp, ann, bea)
})

const timeZone = 'Europe/Berlin'
const START = '2026-06-15T07:00:00.000Z'
const AFTER_50_MINUTES = '2026-06-15T07:50:00.000Z'

async function start(targetMinutes?: number, sessionId = uuidv7()): Promise<string> {
  const input = { sessionId, timeZone, ...(targetMinutes && { targetMinutes }) }
  const { status } = await testApp.call(startFocus, input, ann)
  expect(status).toBe(200)
  return sessionId
}
const stop = (sessionId: string) => testApp.call(stopFocus, { sessionId }, ann)
const set = (sessionId: string, targetMinutes: number | null, user = ann) =>
  testApp.call(setTarget, { sessionId, targetMinutes }, user)
const home = async () => (await testApp.call(readHome, { timeZone }, ann)).body
/** What Bea sees of Ann. */
const seen = async () => (await testApp.call(readTeam, {}, bea)).body.connections[0]?.presence

/** All targets that are stored about Ann. */
async function stored(): Promise<(number | null)[]> {
  const { deeb_sessions } = (await testApp.call(readMyData, {}, ann)).body as unknown as {
    deeb_sessions: { target_minutes: number | null }[]
  }
  return deeb_sessions.map(({ target_minutes }) => target_minutes)
}

describe('a start with a target', () => {
  test('shows it to its user, and its end to connections', async () => {
    const id = await start(50)
    expect((await home()).openSession).toEqual({ id, startedAt: START, endedAt: null, targetMinutes: 50 })
    expect(await seen()).toMatchObject({ inDeebMode: true, since: START, until: AFTER_50_MINUTES })
    expect(await stored()).toEqual([50])
  })

  test('without one has none, as from an older client', async () => {
    const id = await start()
    expect((await home()).openSession).toEqual({ id, startedAt: START, endedAt: null })
    expect(await seen()).toMatchObject({ since: START, until: null })
  })

  test('that is repeated, or joins an open session, changes nothing', async () => {
    const id = await start(50)
    await start(25, id)
    const { body } = await testApp.call(startFocus, { sessionId: uuidv7(), timeZone, targetMinutes: 90 }, ann)
    expect(body.session).toMatchObject({ id, targetMinutes: 50 })
    expect(await stored()).toEqual([50])
  })

  test.each([4, 481, 25.5])('of %s minutes is refused', async (targetMinutes) => {
    const input = { sessionId: uuidv7(), timeZone, targetMinutes }
    expect((await testApp.call(startFocus, input, ann)).error.code).toBe('invalid_input')
  })

  test('that is replayed keeps it while the session is open', async () => {
    const [first, second] = [uuidv7(), uuidv7()]
    const on = (sessionId: string, minute: number) =>
      ({ to: 'on', sessionId, timeZone, actedAt: at(minute), targetMinutes: 50 }) as const
    const at = (minute: number) => new Date(Date.parse(START) + minute * 60_000).toISOString()
    const changes = [on(first, -60), { to: 'off', sessionId: first, actedAt: at(-30) } as const, on(second, -10)]
    const { body } = await testApp.call(replaySwitches, { sentAt: START, changes }, ann)
    expect(body.openSession).toMatchObject({ id: second, startedAt: at(-10), targetMinutes: 50 })
    expect((await stored()).toSorted()).toEqual([50, null])
    expect(await seen()).toMatchObject({ until: at(40) })
  })

  test('whose start is moved back by a delayed repeat keeps the newer target', async () => {
    const id = await start(50)
    await set(id, 90)
    testApp.clock.advance({ minutes: 1 })
    const now = testApp.clock.now().toISOString()
    const actedAt = '2026-06-15T06:58:00.000Z'
    const changes = [{ to: 'on', sessionId: id, timeZone, actedAt, targetMinutes: 50 } as const]
    const { body } = await testApp.call(replaySwitches, { sentAt: now, changes }, ann)
    expect(body.openSession).toMatchObject({ id, startedAt: actedAt, targetMinutes: 90 })
    expect((await home()).openSession).toEqual(body.openSession)
  })
})

describe('a change of the target', () => {
  test('is published to the other devices and to connections', async () => {
    const id = await start()
    const [own, other] = [await openStream(testApp, ann), await openStream(testApp, bea)]
    const { body } = await set(id, 50)
    expect(body.session).toEqual({ id, startedAt: START, endedAt: null, targetMinutes: 50 })
    await own.until((stream) => stream.of('me-changed').length === 1)
    await other.until((stream) => stream.of('presence').length === 1)
    expect(own.of('me-changed')[0]?.openSession).toEqual(body.session)
    expect(other.of('presence')[0]?.presence).toEqual(await seen())
    expect(other.of('presence')[0]?.presence).toMatchObject({ until: AFTER_50_MINUTES })
    own.leave()
    other.leave()
  })

  test('threat 151: connections receive no end that is past, by a read or a live event', async () => {
    const id = await start(50)
    testApp.clock.advance({ minutes: 50 })
    expect(await seen()).toMatchObject({ inDeebMode: true, since: START, until: null })
    const other = await openStream(testApp, bea)
    await set(id, 25)
    await other.until((stream) => stream.of('presence').length === 1)
    expect(other.of('presence')[0]?.presence).toMatchObject({ inDeebMode: true, until: null })
    expect((await home()).openSession).toMatchObject({ targetMinutes: 25 })
    other.leave()
  })

  test('is idempotent, and null removes it', async () => {
    const id = await start()
    expect((await set(id, 50)).body.session).toEqual((await set(id, 50)).body.session)
    expect((await set(id, null)).body.session).toEqual({ id, startedAt: START, endedAt: null })
    expect(await seen()).toMatchObject({ inDeebMode: true, until: null })
  })

  test('accepts the id of a start that joined the session', async () => {
    const id = await start()
    const joined = await start()
    expect((await set(joined, 25)).body.session).toMatchObject({ id, targetMinutes: 25 })
  })

  test('threat 141: of a session that has ended, is 16 hours old, unknown or of another user is refused', async () => {
    const ended = await start(50)
    await stop(ended)
    const id = await start()
    expect((await set(id, 50, bea)).error.code).toBe('session_not_found')
    for (const unknown of [ended, uuidv7()]) expect((await set(unknown, 50)).error.code).toBe('session_not_found')
    testApp.clock.advance({ hours: 16 })
    expect((await set(id, 50)).error.code).toBe('session_not_found')
    expect(await stored()).toEqual([null, null])
  })

  test('threat 141: on one device while another ends the session never leaves an ended session with a target', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await start()
      const [changed, ended] = await Promise.all(round % 2 ? [set(id, 50), stop(id)] : [stop(id), set(id, 50)])
      expect([changed.status, ended.status].filter((status) => status !== 200 && status !== 404)).toEqual([])
      testApp.clock.advance({ minutes: 1 })
    }
    expect(new Set(await stored())).toEqual(new Set([null]))
    expect(await seen()).toMatchObject({ inDeebMode: false, until: null })
    await expectConsistent(testApp, ann)
  })
})

describe('threat 140: a target is forgotten', () => {
  const off = (sessionId: string) => {
    const now = testApp.clock.now().toISOString()
    return { sentAt: now, changes: [{ to: 'off', sessionId, actedAt: now } as const] }
  }
  const MORE_THAN_A_DAY = { hours: 17 }

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['a stop', stop],
    ['a stop by another device', async () => stop(await start())],
    ['a replayed off', (id) => testApp.call(replaySwitches, off(id), ann)],
    ['a company that switches the account off', () => closeOpenSession(testApp.db, ann.userId, testApp.clock.now())],
  ])('when the session is ended by %s', async (_, end) => {
    const id = await start(50)
    testApp.clock.advance({ minutes: 10 })
    await end(id)
    expect(await stored()).toEqual([null])
    expect(await seen()).toMatchObject({ inDeebMode: false, since: null, until: null })
    expect((await home()).openSession).toBeNull()
  })

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['the periodic job', () => closeForgottenSessions(testApp.db, testApp.clock.now())],
    ['a late stop', stop],
    ['a replay', (id) => testApp.call(replaySwitches, off(id), ann)],
    ['a new start', () => start()],
  ])('when the session is ended at 16 hours by %s, and stays so when it is kept', async (_, end) => {
    const id = await start(50)
    testApp.clock.advance(MORE_THAN_A_DAY)
    await end(id)
    expect((await home()).forgottenSession).not.toHaveProperty('targetMinutes')
    await testApp.call(keepSession, { sessionId: id }, ann)
    expect(new Set(await stored())).toEqual(new Set([null]))
  })

  test('and does not return when the session is corrected, deleted and restored', async () => {
    const id = await start(50)
    testApp.clock.advance({ minutes: 10 })
    await stop(id)
    const session = { sessionId: id }
    const endedAt = '2026-06-15T07:09:00.000Z'
    for (const change of [
      () => testApp.call(correctSession, { ...session, endedAt }, ann),
      () => testApp.call(discardSession, session, ann),
      () => testApp.call(restoreSession, { ...session, endedAt }, ann),
    ]) {
      expect((await change()).status).toBe(200)
      expect(await stored()).toEqual([null])
    }
    const { sessions } = (await testApp.call(readSessions, {}, ann)).body
    expect(sessions).toEqual([{ id, startedAt: START, endedAt }])
  })

  test('with the account', async () => {
    await start(50)
    expect((await testApp.call(deleteAccount, { password: PASSWORD }, ann)).status).toBe(200)
    const left = statement('test.targets-left', 'select from deeb_sessions where user_id = :userId')
    expect(await testApp.db.query(left, { userId: ann.userId })).toEqual([])
  })

  test('and the database refuses an ended session with one', async () => {
    await stop(await start())
    const copy = statement(
      'test.ended-with-target',
      `insert into deeb_sessions (user_id, id, start_time, end_time, time_zone, start_date, next_date, next_date_starts_at,
        target_minutes)
      select user_id, gen_random_uuid(), start_time, start_time, time_zone, start_date, next_date, next_date_starts_at, :minutes
      from deeb_sessions where user_id = :userId`,
    )
    const insert = (minutes: number) =>
      testApp.db.query(copy, { userId: ann.userId, minutes }).catch((error: unknown) => violatedConstraint(error))
    expect(await insert(50)).toBe('deeb_sessions_target_only_open')
    expect(await insert(481)).toMatch(/^deeb_sessions_target_/)
  })
})
