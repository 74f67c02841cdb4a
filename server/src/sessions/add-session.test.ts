import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { addSession, correctSession, discardSession } from '@deeb/core/sessions/api'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { expectConsistent } from '../testing/invariants.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const BERLIN = 'Europe/Berlin'

const test = base.extend('focus', ({ app }) => {
  const add = (from: string, to: string, { sessionId = uuidv7(), timeZone = BERLIN, user = mara } = {}) =>
    app.call(addSession, { sessionId, startedAt: at(from), endedAt: at(to), timeZone }, user)
  return { add }
})

let mara: MadeUser
test.beforeEach(async ({ app, clock }) => {
  clock.set('2026-06-15T12:00:00Z')
  mara = await makeUser(app)
})
test.afterEach(({ app }) => expectConsistent(app, mara))

/** Times of 2026, as `06-15T08:00:00`, in UTC. */
const at = (time: string) => `2026-${time}.000Z`

test('a repeated request is answered as at first, also when it would be too late now', async ({ clock, focus }) => {
  const sessionId = uuidv7()
  const ask = () => focus.add('06-15T08:00:00', '06-15T09:00:00', { sessionId })
  const before = await ask()
  expect(before.status).toBe(200)
  clock.advance({ hours: 8 * 24 })
  expect(await ask()).toEqual(before)
  expect((await focus.add('06-15T08:00:00', '06-15T09:00:00')).status).toBe(400)
})

test('an added session is listed and counts in the totals, in whole seconds', async ({ app, focusOf }) => {
  const sessionId = uuidv7()
  const input = { sessionId, startedAt: '2026-06-15T08:00:00.900Z', endedAt: '2026-06-15T09:30:00.900Z' }
  const { status, body } = await app.call(addSession, { ...input, timeZone: BERLIN }, mara)
  const session = { id: sessionId, startedAt: at('06-15T08:00:00'), endedAt: at('06-15T09:30:00') }
  expect([status, body]).toEqual([200, { session }])
  expect(await focusOf(mara).listed()).toEqual([{ ...session, interruptions: 0 }])
  const { today, openSession } = (await app.call(readHome, { timeZone: BERLIN }, mara)).body
  expect([today.savedSeconds, openSession]).toEqual([90 * 60, null])
})

test('an added session is split at midnight in its time zone', async ({ focusOf, focus }) => {
  // Kathmandu, UTC+5:45: midnight is 18:15 UTC.
  await focus.add('06-14T17:15:00', '06-14T18:45:00', { timeZone: 'Asia/Kathmandu' })
  expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-14': 60, '06-15': 30 })
})

test.for([
  // 02:30 does not exist on 29 March: from 01:30 to 03:30 on the clock is one hour.
  ['03-29', '03-29T00:30:00', '03-29T01:30:00', { '03-29': 60 }],
  // 02:30 occurs twice on 25 October: from the first to the second is one hour.
  ['10-25', '10-25T00:30:00', '10-25T01:30:00', { '10-25': 60 }],
  // From 23:00 to 04:00 on the clock.
  ['10-25', '10-24T21:00:00', '10-25T03:00:00', { '10-24': 60, '10-25': 300 }],
] as const)(
  'an added session counts real time in the night of a clock change, %s',
  async ([date, from, to, minutes], { app, clock, focusOf, focus }) => {
    clock.set(at(`${date}T12:00:00`))
    mara = await makeUser(app)
    expect((await focus.add(from, to)).status).toBe(200)
    expect(await focusOf(mara).minutesPerDate()).toEqual(minutes)
  },
)

test.for([
  ['an end before the start', '06-15T08:00:00', '06-15T07:59:59', 'endedAt'],
  ['no length', '06-15T08:00:00', '06-15T08:00:00', 'endedAt'],
  ['an end in the future', '06-15T08:00:00', '06-15T12:00:01', 'endedAt'],
  ['more than 16 hours', '06-14T17:00:00', '06-15T09:00:01', 'endedAt'],
  ['a start more than 7 days ago', '06-08T11:59:59', '06-08T13:00:00', 'startedAt'],
] as const)('rejects %s and adds nothing', async ([_, from, to, field], { focusOf, focus }) => {
  const answer = await focus.add(from, to)
  expect([answer.status, answer.error.code, answer.error.fields?.[0]?.path]).toEqual([400, 'invalid_input', field])
  expect(await focusOf(mara).listed()).toEqual([])
})

test('accepts the limits: 16 hours, 7 days ago and an end that is now', async ({ focus }) => {
  for (const [from, to] of [
    ['06-14T12:00:00', '06-15T04:00:00'],
    ['06-08T12:00:00', '06-08T13:00:00'],
    ['06-15T11:00:00', '06-15T12:00:00'],
  ] as const) {
    expect((await focus.add(from, to)).status).toBe(200)
  }
})

test('rejects a time zone that does not exist', async ({ focus }) => {
  const answer = await focus.add('06-15T08:00:00', '06-15T09:00:00', { timeZone: 'Mars/Olympus' })
  expect([answer.status, answer.error.code]).toEqual([400, 'invalid_time_zone'])
})

test('rejects time that an ended or the open session covers, accepts the time between', async ({
  app,
  clock,
  focusOf,
  focus,
}) => {
  await focus.add('06-15T07:00:00', '06-15T08:00:00')
  const { id } = (await app.call(startFocus, { sessionId: uuidv7(), timeZone: BERLIN }, mara)).body.session
  clock.set(at('06-15T13:00:00'))
  for (const [from, to] of [
    ['06-15T06:30:00', '06-15T07:00:01'],
    ['06-15T07:20:00', '06-15T07:40:00'],
    ['06-15T06:00:00', '06-15T09:00:00'],
    ['06-15T11:00:00', '06-15T12:00:01'],
  ] as const) {
    const answer = await focus.add(from, to)
    expect([answer.status, answer.error.code]).toEqual([409, 'session_overlaps'])
  }
  expect((await focus.add('06-15T08:00:00', '06-15T12:00:00')).status).toBe(200)
  expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-15': 300 })
  expect((await app.call(stopFocus, { sessionId: id }, mara)).status).toBe(200)
})

test('is idempotent, also when concurrent, and after a correction', async ({ app, focusOf, focus }) => {
  const sessionId = uuidv7()
  const again = () => focus.add('06-15T08:00:00', '06-15T09:00:00', { sessionId })
  const answers = [...(await Promise.all([again(), again(), again()])), await again()]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-15': 60 })
  await app.call(correctSession, { sessionId, endedAt: at('06-15T08:30:00') }, mara)
  expect((await again()).body.session.endedAt).toBe(at('06-15T08:30:00'))
  expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-15': 30 })
})

test('a late repeat does not restore a deleted session', async ({ app, focusOf, focus }) => {
  const sessionId = uuidv7()
  await focus.add('06-15T08:00:00', '06-15T09:00:00', { sessionId })
  await app.call(discardSession, { sessionId }, mara)
  const answer = await focus.add('06-15T08:00:00', '06-15T09:00:00', { sessionId })
  expect([answer.status, answer.error.code]).toEqual([404, 'session_not_found'])
  expect(await focusOf(mara).listed()).toEqual([])
})

test('the id of another user has no effect on their session', async ({ app, focusOf, focus }) => {
  const sessionId = uuidv7()
  await focus.add('06-15T08:00:00', '06-15T09:00:00', { sessionId })
  const other = await makeUser(app)
  expect((await focus.add('06-15T07:00:00', '06-15T07:30:00', { sessionId, user: other })).status).toBe(200)
  expect(await focusOf(mara).listed()).toEqual([
    { id: sessionId, startedAt: at('06-15T08:00:00'), endedAt: at('06-15T09:00:00'), interruptions: 0 },
  ])
  expect(await focusOf(other).listed()).toHaveLength(1)
})

test('of two concurrent sessions on the same time only one is added', async ({ app, focus }) => {
  const answers = await Promise.all([
    focus.add('06-15T08:00:00', '06-15T09:00:00'),
    focus.add('06-15T08:30:00', '06-15T09:30:00'),
    app.call(startFocus, { sessionId: uuidv7(), timeZone: BERLIN }, mara),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409])
})

test('a local date has at most 300 sessions, added ones included', async ({ app, focusOf, focus }) => {
  await app.db.script(`insert into daily_start_counts (user_id, date, starts)
    values ('${mara.userId}', '2026-06-15', 299)`)
  expect((await focus.add('06-15T08:00:00', '06-15T08:10:00')).status).toBe(200)
  const answer = await focus.add('06-15T09:00:00', '06-15T09:10:00')
  expect([answer.status, answer.error.code]).toEqual([409, 'too_many_sessions'])
  expect((await focus.add('06-14T09:00:00', '06-14T09:10:00')).status).toBe(200)
  expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-14': 10, '06-15': 10 })
})

test("an added session reaches the user's other devices", async ({ app, focus }) => {
  const stream = await openStream(app, mara)
  await focus.add('06-15T08:00:00', '06-15T09:00:00')
  await stream.until((stream) => stream.of('me-changed').length === 1)
  stream.leave()
})
