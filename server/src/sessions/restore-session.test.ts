import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { addSession, discardSession, restoreSession } from '@deeb/core/sessions/api'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { expectConsistent } from '../testing/invariants.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { freshToken } from '../testing/test-app.ts'

const timeZone = 'Europe/Berlin'

const test = base.extend('focus', ({ app }) => {
  const add = (from: string, to: string, id = uuidv7()) =>
    app.call(addSession, { sessionId: id, startedAt: at(from), endedAt: at(to), timeZone }, mara)
  const discard = () => app.call(discardSession, { sessionId }, mara)
  const restore = (endedAt = '06-15T22:30:00', user = mara) =>
    app.call(restoreSession, { sessionId, endedAt: at(endedAt) }, user)
  return { add, discard, restore }
})

let mara: MadeUser
let sessionId: string

/* A session over midnight, from 23:00 to 00:30 in Berlin. */
test.beforeEach(async ({ app, clock, focus }) => {
  clock.set(at('06-15T22:30:00'))
  mara = await makeUser(app)
  sessionId = uuidv7()
  await focus.add('06-15T21:00:00', '06-15T22:30:00', sessionId)
  clock.set(at('06-16T09:00:00'))
})
test.afterEach(({ app }) => expectConsistent(app, mara))

/** Times of 2026, as `06-15T08:00:00`, in UTC. */
function at(time: string): string {
  return `2026-${time}.000Z`
}

test('a restored session is listed again and counts as before', async ({ focusOf, focus }) => {
  const before = await focusOf(mara).listed()
  await focus.discard()
  expect(await focusOf(mara).minutesPerDate()).toEqual({})
  const { status, body } = await focus.restore()
  expect([status, body.session]).toEqual([200, before[0]])
  expect(await focusOf(mara).listed()).toEqual(before)
  expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-15': 60, '06-16': 30 })
})

test('a session of 0 seconds can be restored', async ({ app, focusOf }) => {
  const id = uuidv7()
  const { session } = (await app.call(startFocus, { sessionId: id, timeZone }, mara)).body
  await app.call(stopFocus, { sessionId: id }, mara)
  await app.call(discardSession, { sessionId: id }, mara)
  const endedAt = session.startedAt
  expect((await app.call(restoreSession, { sessionId: id, endedAt }, mara)).status).toBe(200)
  expect((await focusOf(mara).listed())[0]).toMatchObject({ id, endedAt })
})

test('restore is idempotent, also when concurrent, and the session can be deleted again', async ({
  focusOf,
  focus,
}) => {
  await focus.discard()
  const answers = [...(await Promise.all([focus.restore(), focus.restore(), focus.restore()])), await focus.restore()]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-15': 60, '06-16': 30 })
  await focus.discard()
  expect(await focusOf(mara).minutesPerDate()).toEqual({})
})

test('restore does not change a session that was not deleted', async ({ focusOf, focus }) => {
  expect((await focus.restore('06-15T21:10:00')).body.session.endedAt).toBe(at('06-15T22:30:00'))
  expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-15': 60, '06-16': 30 })
})

test('refuses to restore into time that another session has taken', async ({ focusOf, focus }) => {
  await focus.discard()
  await focus.add('06-15T22:00:00', '06-15T22:10:00')
  const answer = await focus.restore()
  expect([answer.status, answer.error.code]).toEqual([409, 'session_overlaps'])
  expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-16': 10 })
})

test('restores before an open session, which continues', async ({ app, clock, focusOf, focus }) => {
  await focus.discard()
  const { session } = (await app.call(startFocus, { sessionId: uuidv7(), timeZone }, mara)).body
  expect((await focus.restore()).status).toBe(200)
  clock.advance({ minutes: 10 })
  expect((await app.call(stopFocus, { sessionId: session.id }, mara)).status).toBe(200)
  expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-15': 60, '06-16': 40 })
})

test.for([
  ['an end before the start', '06-15T20:59:59'],
  ['an end in the future', '06-16T09:00:01'],
  ['more than 16 hours', '06-16T13:00:01'],
] as const)('rejects %s', async ([_, endedAt], { clock, focusOf, focus }) => {
  await focus.discard()
  if (endedAt === '06-16T13:00:01') clock.set(at('06-16T14:00:00'))
  const answer = await focus.restore(endedAt)
  expect([answer.status, answer.error.code, answer.error.fields?.[0]?.path]).toEqual([400, 'invalid_input', 'endedAt'])
  expect(await focusOf(mara).listed()).toEqual([])
})

test('refuses a session that ended more than 7 days ago, an unknown one and one of another user', async ({
  app,
  clock,
  focus,
}) => {
  await focus.discard()
  const other = await makeUser(app)
  expect((await focus.restore('06-15T22:30:00', other)).error.code).toBe('session_not_found')
  clock.set(at('06-22T22:29:59'))
  expect((await focus.restore()).status).toBe(200)
  await focus.discard()
  clock.set(at('06-22T22:30:00'))
  expect((await focus.restore()).error.code).toBe('session_not_found')
  sessionId = uuidv7()
  expect((await focus.restore()).error.code).toBe('session_not_found')
})

test('a late stop of a restored session does not move its end', async ({ app, clock, focusOf, focus }) => {
  await focus.discard()
  await focus.restore()
  const now = clock.now().toISOString()
  const late = { to: 'off', sessionId, actedAt: now } as const
  expect((await app.call(replaySwitches, { sentAt: now, changes: [late] }, mara)).body.refused).toEqual([])
  expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-15': 60, '06-16': 30 })
})

test("a restored session reaches the user's other devices", async ({ app, clock, focus }) => {
  await focus.discard()
  const stream = await openStream(app, { accessToken: await freshToken(app.auth, mara, clock.now()) })
  await focus.restore()
  await stream.until((stream) => stream.of('me-changed').length === 1)
  stream.leave()
})
