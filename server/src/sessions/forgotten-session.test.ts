import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { correctSession, discardSession, keepSession, readSessions, restoreSession } from '@deeb/core/sessions/api'
import { readWeek } from '@deeb/core/stats/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeForgottenSessions } from '../focus/close-forgotten.ts'
import { expectConsistent } from '../testing/invariants.ts'
import type { MadeUser } from '../testing/make.ts'
import { makeTraveller } from '../testing/make-traveller.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

const timeZone = 'Europe/Berlin'

let testApp: TestApp
let mara: MadeUser
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.clock.set('2026-06-15T06:00:00Z')
  mara = await makeTraveller(testApp)
})
afterEach(() => expectConsistent(testApp, mara))

const keep = (sessionId: string) => testApp.call(keepSession, { sessionId }, mara)
const discard = (sessionId: string) => testApp.call(discardSession, { sessionId }, mara)
/** Corrects the session to one hour: 06:00 to 07:00 UTC. */
const correct = (sessionId: string) =>
  testApp.call(correctSession, { sessionId, endedAt: '2026-06-15T07:00:00.000Z' }, mara)

/** Starts a session now, moves the clock by 16 hours and lets the server close it. Returns its id. */
async function makeForgotten(): Promise<string> {
  const { id } = (await testApp.call(startFocus, { sessionId: uuidv7(), timeZone }, mara)).body.session
  testApp.clock.advance({ hours: 16 })
  await closeForgottenSessions(testApp.db, testApp.clock.now())
  return id
}

/** The id of the forgotten session in the responses for all screens, which must agree. */
async function shownForgotten(): Promise<string | undefined> {
  const home = (await testApp.call(readHome, { timeZone }, mara)).body.forgottenSession
  expect((await testApp.call(readWeek, { timeZone }, mara)).body.forgottenSession).toEqual(home)
  expect((await testApp.call(readSessions, {}, mara)).body.forgottenSession).toEqual(home)
  return home?.id
}

test('every screen shows a forgotten session once the server has closed it', async () => {
  const { id } = (await testApp.call(startFocus, { sessionId: uuidv7(), timeZone }, mara)).body.session
  testApp.clock.advance({ hours: 15 })
  expect(await shownForgotten()).toBeUndefined()
  testApp.clock.advance({ hours: 1 })
  await closeForgottenSessions(testApp.db, testApp.clock.now())
  expect(await shownForgotten()).toBe(id)
  expect((await testApp.call(readHome, { timeZone }, mara)).body).toMatchObject({
    forgottenSession: { startedAt: '2026-06-15T06:00:00.000Z', endedAt: '2026-06-15T22:00:00.000Z' },
    openSession: null,
  })
})

test('a session that a late stop ended is forgotten too, one stopped in time is not', async () => {
  const sessionId = uuidv7()
  await testApp.call(startFocus, { sessionId, timeZone }, mara)
  testApp.clock.advance({ hours: 16 })
  await testApp.call(stopFocus, { sessionId }, mara)
  expect(await shownForgotten()).toBeUndefined()
  const late = uuidv7()
  await testApp.call(startFocus, { sessionId: late, timeZone }, mara)
  testApp.clock.advance({ hours: 16, seconds: 1 })
  await testApp.call(stopFocus, { sessionId: late }, mara)
  expect(await shownForgotten()).toBe(late)
})

test.each([
  ['keeping', keep, 960],
  ['correcting', correct, 60],
  ['discarding', discard, 0],
])('%s resolves a forgotten session, within the week and after a month', async (_, answer, minutes) => {
  for (const days of [1, 31]) {
    testApp.clock.set('2026-06-15T06:00:00Z')
    mara = await makeTraveller(testApp)
    const id = await makeForgotten()
    testApp.clock.advance({ hours: days * 24 })
    expect(await shownForgotten()).toBe(id)
    expect((await answer(id)).status).toBe(200)
    expect(await shownForgotten()).toBeUndefined()
    // 15 June 2026 was a Monday; the session lasted from 08:00 to 24:00 in Berlin.
    testApp.clock.set('2026-06-16T06:00:00Z')
    const { week } = (await testApp.call(readWeek, { timeZone }, mara)).body
    expect(week.reduce((sum, day) => sum + day.savedSeconds, 0)).toBe(minutes * 60)
  }
})

test('of two forgotten sessions the older is shown first', async () => {
  const first = await makeForgotten()
  testApp.clock.advance({ hours: 5 })
  const second = await makeForgotten()
  expect(await shownForgotten()).toBe(first)
  await keep(first)
  expect(await shownForgotten()).toBe(second)
  await discard(second)
  expect(await shownForgotten()).toBeUndefined()
})

test('keep is idempotent, and a kept session can be corrected within the week', async () => {
  const id = await makeForgotten()
  await keep(id)
  expect((await keep(id)).status).toBe(200)
  expect((await correct(id)).status).toBe(200)
  expect(await shownForgotten()).toBeUndefined()
})

test.each([0, 24 * 30])(
  'undoing the deletion of a forgotten session after %i hours asks about it again',
  async (hours) => {
    const id = await makeForgotten()
    testApp.clock.advance({ hours })
    const before = (await testApp.call(readHome, { timeZone }, mara)).body.forgottenSession
    await discard(id)
    expect(await shownForgotten()).toBeUndefined()
    const restored = await testApp.call(restoreSession, { sessionId: id, endedAt: before?.endedAt ?? '' }, mara)
    expect(restored.status).toBe(200)
    expect((await testApp.call(readHome, { timeZone }, mara)).body.forgottenSession).toEqual(before)
    expect((await keep(id)).status).toBe(200)
    expect(await shownForgotten()).toBeUndefined()
  },
)

test.each(['kept', 'corrected'])(
  'undoing the deletion of a forgotten session that was %s asks nothing',
  async (how) => {
    const id = await makeForgotten()
    await (how === 'kept' ? keep(id) : correct(id))
    await discard(id)
    const endedAt = '2026-06-15T22:00:00.000Z'
    expect((await testApp.call(restoreSession, { sessionId: id, endedAt }, mara)).status).toBe(200)
    expect(await shownForgotten()).toBeUndefined()
  },
)

test('a kept session cannot be changed after a week', async () => {
  const id = await makeForgotten()
  await keep(id)
  testApp.clock.advance({ hours: 7 * 24 })
  expect([(await correct(id)).status, (await discard(id)).status]).toEqual([404, 404])
})

test('a user neither sees nor changes the forgotten session of another user', async () => {
  const id = await makeForgotten()
  const owner = mara
  mara = await makeTraveller(testApp)
  expect(await shownForgotten()).toBeUndefined()
  expect([(await keep(id)).status, (await correct(id)).status, (await discard(id)).status]).toEqual([404, 404, 404])
  mara = owner
  expect(await shownForgotten()).toBe(id)
})
