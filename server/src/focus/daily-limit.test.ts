import type { Endpoint } from '@deeb/core/endpoint'
import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { MAX_SESSIONS_PER_DAY, MAX_SESSIONS_PER_DAY_BY_PROGRAMS } from '@deeb/core/focus/session'
import { discardSession } from '@deeb/core/sessions/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { type MadeUser, makePersonalToken, makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { withoutLimits } from '../testing/without-limits.ts'

const BERLIN = 'Europe/Berlin'

let testApp: TestApp
let ann: MadeUser
beforeAll(async () => {
  // Without rate limits: only the daily limit refuses here.
  testApp = await startTestApp({}, undefined, { callLimitStore: withoutLimits() })
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.clock.set('2026-06-15T16:00:00Z')
  ann = await makeUser(testApp)
})

const start = (sessionId = uuidv7(), timeZone = BERLIN) => testApp.call(startFocus, { sessionId, timeZone }, ann)
const stop = (sessionId: string) => testApp.call(stopFocus, { sessionId }, ann)

async function switchOnAndOff(): Promise<string> {
  const sessionId = uuidv7()
  expect((await start(sessionId)).status).toBe(200)
  testApp.clock.advance({ seconds: 1 })
  expect((await stop(sessionId)).status).toBe(200)
  return sessionId
}

/** Sets the number of starts that the user already has on each of these dates. */
const setStarts = (starts: number, ...dates: string[]) =>
  testApp.db.query(
    statement(
      'test.set-starts',
      `insert into daily_start_counts (user_id, date, starts) select :userId, date, :starts from unnest(:dates::text[]) as date
      on conflict (user_id, date) do update set starts = excluded.starts`,
    ),
    { userId: ann.userId, starts, dates },
  )

async function rows() {
  const count = (table: string) => `(select count(*)::int from ${table} where user_id = :userId) as ${table}`
  const both = statement('test.rows', `select ${count('deeb_sessions')}, ${count('deeb_session_aliases')}`)
  const [row] = await testApp.db.query<{ deeb_sessions: number; deeb_session_aliases: number }>(both, {
    userId: ann.userId,
  })
  return row
}

type Change = Parameters<typeof pairs>[0][number]

/** The start and stop of one session per span. */
function pairs(spans: { from: string; seconds: number; sessionId?: string; timeZone?: string }[]) {
  return spans.flatMap(({ from, seconds, sessionId = uuidv7(), timeZone = BERLIN }) => [
    { to: 'on' as const, sessionId, timeZone, actedAt: new Date(from).toISOString() },
    { to: 'off' as const, sessionId, actedAt: new Date(Date.parse(from) + seconds * 1000).toISOString() },
  ])
}

async function replay(...spans: Change[]) {
  const changes = pairs(spans)
  const sentAt = testApp.clock.now().toISOString()
  const { status, body } = await testApp.call(replaySwitches, { sentAt, changes }, ann)
  expect(status).toBe(200)
  const refused = body.refused.map(({ sessionId, to, code }) => `${to} ${at(changes, sessionId)}: ${code}`)
  return { changes, refused }
}

const at = (changes: { sessionId: string }[], id: string) =>
  Math.floor(changes.findIndex(({ sessionId }) => sessionId === id) / 2)

test('threat 87: a user can start 300 sessions per local date, deleted ones included, and more after midnight', async () => {
  for (let n = 0; n < MAX_SESSIONS_PER_DAY; n++) {
    const sessionId = await switchOnAndOff()
    if (n % 2) expect((await testApp.call(discardSession, { sessionId }, ann)).status).toBe(200)
  }
  const refused = await start()
  expect([refused.status, refused.error.code]).toEqual([409, 'too_many_sessions'])
  expect(await rows()).toEqual({ deeb_sessions: 300, deeb_session_aliases: 0 })

  testApp.clock.set('2026-06-15T21:59:59Z')
  expect((await start()).status).toBe(409)
  // Midnight in Berlin.
  testApp.clock.set('2026-06-15T22:00:00Z')
  expect((await start()).status).toBe(200)
})

test('threat 87: the limit uses the local date in the time zone of the start', async () => {
  await setStarts(300, '2026-06-15')
  expect((await start()).status).toBe(409)
  expect((await start(uuidv7(), 'Pacific/Kiritimati')).status).toBe(200)
})

test('threat 87: a start that becomes an alias of the open session counts too', async () => {
  await setStarts(297, '2026-06-15')
  const open = (await start()).body.session.id
  expect([(await start()).status, (await start()).status]).toEqual([200, 200])
  expect((await start()).error.code).toBe('too_many_sessions')
  expect(await rows()).toEqual({ deeb_sessions: 1, deeb_session_aliases: 2 })
  // Ids that were accepted still work.
  expect((await start(open)).status).toBe(200)
  expect((await stop(open)).status).toBe(200)
  expect((await start(open)).status).toBe(200)
})

test('threat 87: only one of two concurrent starts uses the last session of the limit', async () => {
  await setStarts(299, '2026-06-15')
  const answers = await Promise.all([start(), start()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('threat 87: a start that arrives late counts on its own date', async () => {
  await setStarts(300, '2026-06-14')
  const times = { actedAt: '2026-06-14T08:00:00.000Z', sentAt: testApp.clock.now().toISOString() }
  const late = await testApp.call(startFocus, { sessionId: uuidv7(), timeZone: BERLIN, times }, ann)
  expect([late.status, late.error.code]).toEqual([409, 'too_many_sessions'])
})

test('threat 87: a replay applies starts up to the limit of each date and refuses the others', async () => {
  await setStarts(299, '2026-06-14')
  const { refused, changes } = await replay(
    { from: '2026-06-14T08:00:00Z', seconds: 60 },
    { from: '2026-06-14T09:00:00Z', seconds: 60 },
    { from: '2026-06-15T08:00:00Z', seconds: 60 },
    { from: '2026-06-14T22:30:00Z', seconds: 60 },
  )
  expect(refused).toEqual(['on 1: too_many_sessions', 'off 1: session_not_found'])
  expect(await rows()).toEqual({ deeb_sessions: 3, deeb_session_aliases: 0 })

  // The replay is idempotent: accepted starts stay accepted.
  const sentAt = testApp.clock.now().toISOString()
  const again = await testApp.call(replaySwitches, { sentAt, changes }, ann)
  expect(again.body.refused.map(({ code }) => code)).toEqual(['too_many_sessions', 'session_not_found'])
  expect(await rows()).toEqual({ deeb_sessions: 3, deeb_session_aliases: 0 })
})

test('threat 87: sessions that fill gaps, and empty sessions inside others, count too', async () => {
  const taken = [8, 9, 10, 11].map((hour) => ({
    from: `2026-06-14T${String(hour).padStart(2, '0')}:00:00Z`,
    seconds: 600,
  }))
  await replay(...taken)
  await setStarts(296, '2026-06-14')
  // Five gaps: before, between and after the four sessions.
  const { refused } = await replay({ from: '2026-06-14T07:00:00Z', seconds: 6 * 3600 })
  expect(refused).toEqual(['on 0: too_many_sessions', 'off 0: session_not_found'])
  expect(await rows()).toMatchObject({ deeb_sessions: 4 })

  await setStarts(299, '2026-06-14')
  const inside = { from: '2026-06-14T08:01:00Z', seconds: 60 }
  expect((await replay(inside)).refused).toEqual([])
  expect((await replay(inside)).refused).toEqual(['on 0: too_many_sessions', 'off 0: session_not_found'])
  expect(await rows()).toMatchObject({ deeb_sessions: 5 })
})

test('threat 87: a repeated start with an earlier time adds no sessions past the limit', async () => {
  await replay({ from: '2026-06-15T13:00:00Z', seconds: 600 }, { from: '2026-06-15T14:00:00Z', seconds: 600 })
  const open = (await start()).body.session.id
  await setStarts(MAX_SESSIONS_PER_DAY, '2026-06-15')
  const sentAt = testApp.clock.now().toISOString()
  const changes = [{ to: 'on' as const, sessionId: open, timeZone: BERLIN, actedAt: '2026-06-15T12:30:00.000Z' }]
  const { status, body } = await testApp.call(replaySwitches, { sentAt, changes }, ann)
  expect([status, body.openSession?.id]).toEqual([200, open])
  expect(body.refused.map(({ code }) => code)).toEqual(['too_many_sessions'])
  expect(await rows()).toMatchObject({ deeb_sessions: 3 })
})

test('threat 87: a replay applies its stops when its starts exceed the limit', async () => {
  const open = (await start()).body.session.id
  testApp.clock.advance({ hours: 1 })
  await setStarts(300, '2026-06-14')
  const off = { to: 'off' as const, sessionId: open, actedAt: '2026-06-15T16:30:00.000Z' }
  const changes = [...pairs([{ from: '2026-06-14T08:00:00Z', seconds: 60 }]), off]
  const sentAt = testApp.clock.now().toISOString()
  const { body } = await testApp.call(replaySwitches, { sentAt, changes }, ann)
  expect(body.openSession).toBeNull()
  expect(body.refused.map(({ code }) => code)).toEqual(['too_many_sessions', 'session_not_found'])
})

test('threat 87: the constraint of the database has the same limit as the code', async () => {
  await setStarts(MAX_SESSIONS_PER_DAY, '2026-06-15')
  await expect(setStarts(MAX_SESSIONS_PER_DAY + 1, '2026-06-15')).rejects.toThrow('daily_start_counts_max')
})

test('threat 166: programs leave a third of the starts of a day for their owner, whichever call they use', async () => {
  const { token } = await makePersonalToken(testApp, ann, ['switch'])
  const byProgram = async (endpoint: Endpoint, payload: object) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await testApp.app.inject({ method: 'POST', url: endpoint.path, headers, payload })).json()
  }
  await setStarts(MAX_SESSIONS_PER_DAY_BY_PROGRAMS - 1, '2026-06-15')
  const sessionId = uuidv7()
  const input = { sessionId, timeZone: BERLIN }
  expect((await byProgram(startFocus, input)).session.id).toBe(sessionId)
  // A repeated start is none.
  expect((await byProgram(startFocus, input)).session.id).toBe(sessionId)
  expect((await byProgram(startFocus, { ...input, sessionId: uuidv7() })).code).toBe('too_many_sessions')
  const changes = pairs([{ from: '2026-06-15T09:00:00Z', seconds: 60 }])
  const { refused } = await byProgram(replaySwitches, { sentAt: testApp.clock.now().toISOString(), changes })
  expect(refused.map(({ code }: { code: string }) => code)).toEqual(['too_many_sessions', 'session_not_found'])
  expect((await start()).status).toBe(200)
  expect((await replay({ from: '2026-06-15T09:00:00Z', seconds: 60 })).refused).toEqual([])
})
