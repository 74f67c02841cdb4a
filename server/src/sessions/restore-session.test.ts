import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { addSession, discardSession, readSessions, restoreSession } from '@deeb/core/sessions/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { freshToken, startTestApp, type TestApp } from '../testing/test-app.ts'

const timeZone = 'Europe/Berlin'

let testApp: TestApp
let mara: MadeUser
let sessionId: string
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())

/* A session over midnight, from 23:00 to 00:30 in Berlin. */
beforeEach(async () => {
  testApp.clock.set(at('06-15T22:30:00'))
  mara = await makeUser(testApp)
  sessionId = uuidv7()
  await add('06-15T21:00:00', '06-15T22:30:00', sessionId)
  testApp.clock.set(at('06-16T09:00:00'))
})
afterEach(() => expectConsistent(testApp, mara))

/** Times of 2026, as `06-15T08:00:00`, in UTC. */
function at(time: string): string {
  return `2026-${time}.000Z`
}
const add = (from: string, to: string, id = uuidv7()) =>
  testApp.call(addSession, { sessionId: id, startedAt: at(from), endedAt: at(to), timeZone }, mara)
const discard = () => testApp.call(discardSession, { sessionId }, mara)
const restore = (endedAt = '06-15T22:30:00', user = mara) =>
  testApp.call(restoreSession, { sessionId, endedAt: at(endedAt) }, user)
const listed = async () => (await testApp.call(readSessions, {}, mara)).body.sessions

/** Minutes by local date, without empty dates. */
async function minutesPerDate(): Promise<Record<string, number>> {
  const stats = statement(
    'test.minutes-per-date',
    'select date, total_minutes as minutes from daily_stats where user_id = :userId and total_minutes > 0',
  )
  const rows = await testApp.db.query<{ date: string; minutes: number }>(stats, { userId: mara.userId })
  return Object.fromEntries(rows.map(({ date, minutes }) => [date.slice(5), minutes]))
}

test('a restored session is listed again and counts as before', async () => {
  const before = await listed()
  await discard()
  expect(await minutesPerDate()).toEqual({})
  const { status, body } = await restore()
  expect([status, body.session]).toEqual([200, before[0]])
  expect(await listed()).toEqual(before)
  expect(await minutesPerDate()).toEqual({ '06-15': 60, '06-16': 30 })
})

test('a session of 0 seconds can be restored', async () => {
  const id = uuidv7()
  const { session } = (await testApp.call(startFocus, { sessionId: id, timeZone }, mara)).body
  await testApp.call(stopFocus, { sessionId: id }, mara)
  await testApp.call(discardSession, { sessionId: id }, mara)
  const endedAt = session.startedAt
  expect((await testApp.call(restoreSession, { sessionId: id, endedAt }, mara)).status).toBe(200)
  expect((await listed())[0]).toMatchObject({ id, endedAt })
})

test('restore is idempotent, also when concurrent, and the session can be deleted again', async () => {
  await discard()
  const answers = [...(await Promise.all([restore(), restore(), restore()])), await restore()]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await minutesPerDate()).toEqual({ '06-15': 60, '06-16': 30 })
  await discard()
  expect(await minutesPerDate()).toEqual({})
})

test('restore does not change a session that was not deleted', async () => {
  expect((await restore('06-15T21:10:00')).body.session.endedAt).toBe(at('06-15T22:30:00'))
  expect(await minutesPerDate()).toEqual({ '06-15': 60, '06-16': 30 })
})

test('refuses to restore into time that another session has taken', async () => {
  await discard()
  await add('06-15T22:00:00', '06-15T22:10:00')
  const answer = await restore()
  expect([answer.status, answer.error.code]).toEqual([409, 'session_overlaps'])
  expect(await minutesPerDate()).toEqual({ '06-16': 10 })
})

test('restores before an open session, which continues', async () => {
  await discard()
  const { session } = (await testApp.call(startFocus, { sessionId: uuidv7(), timeZone }, mara)).body
  expect((await restore()).status).toBe(200)
  testApp.clock.advance({ minutes: 10 })
  expect((await testApp.call(stopFocus, { sessionId: session.id }, mara)).status).toBe(200)
  expect(await minutesPerDate()).toEqual({ '06-15': 60, '06-16': 40 })
})

test.each([
  ['an end before the start', '06-15T20:59:59'],
  ['an end in the future', '06-16T09:00:01'],
  ['more than 16 hours', '06-16T13:00:01'],
])('rejects %s', async (_, endedAt) => {
  await discard()
  if (endedAt === '06-16T13:00:01') testApp.clock.set(at('06-16T14:00:00'))
  const answer = await restore(endedAt)
  expect([answer.status, answer.error.code, answer.error.fields?.[0]?.path]).toEqual([400, 'invalid_input', 'endedAt'])
  expect(await listed()).toEqual([])
})

test('refuses a session that ended more than 7 days ago, an unknown one and one of another user', async () => {
  await discard()
  const other = await makeUser(testApp)
  expect((await restore('06-15T22:30:00', other)).error.code).toBe('session_not_found')
  testApp.clock.set(at('06-22T22:29:59'))
  expect((await restore()).status).toBe(200)
  await discard()
  testApp.clock.set(at('06-22T22:30:00'))
  expect((await restore()).error.code).toBe('session_not_found')
  sessionId = uuidv7()
  expect((await restore()).error.code).toBe('session_not_found')
})

test('a late stop of a restored session does not move its end', async () => {
  await discard()
  await restore()
  const now = testApp.clock.now().toISOString()
  const late = { to: 'off', sessionId, actedAt: now } as const
  expect((await testApp.call(replaySwitches, { sentAt: now, changes: [late] }, mara)).body.refused).toEqual([])
  expect(await minutesPerDate()).toEqual({ '06-15': 60, '06-16': 30 })
})

test("a restored session reaches the user's other devices", async () => {
  await discard()
  const stream = await openStream(testApp, { accessToken: await freshToken(testApp.auth, mara, testApp.clock.now()) })
  await restore()
  await stream.until((stream) => stream.of('me-changed').length === 1)
  stream.leave()
})
