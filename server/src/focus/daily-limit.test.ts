// Runs in npm run test:all.
import type { Endpoint } from '@deeb/core/endpoint'
import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { switchFocus } from '@deeb/core/focus/program-api'
import { MAX_SESSIONS_PER_DAY, MAX_SESSIONS_PER_DAY_BY_PROGRAMS } from '@deeb/core/focus/session'
import { discardSession } from '@deeb/core/sessions/api'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { makePersonalToken, makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { withoutLimits } from '../testing/without-limits.ts'

const BERLIN = 'Europe/Berlin'

const test = base
  .extend('stores', { scope: 'file' }, { callLimitStore: withoutLimits() })
  .extend('ann', ({ app }) => makeUser(app))
  .extend('focus', ({ app, clock, ann }) => {
    const start = (sessionId = uuidv7(), timeZone = BERLIN) => app.call(startFocus, { sessionId, timeZone }, ann)
    const stop = (sessionId: string) => app.call(stopFocus, { sessionId }, ann)
    async function switchOnAndOff(): Promise<string> {
      const sessionId = uuidv7()
      expect((await start(sessionId)).status).toBe(200)
      clock.advance({ seconds: 1 })
      expect((await stop(sessionId)).status).toBe(200)
      return sessionId
    }
    /** Sets the number of starts that the user already has on each of these dates. */
    const setStarts = (starts: number, ...dates: string[]) =>
      app.db.query(
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
      const [row] = await app.db.query<{ deeb_sessions: number; deeb_session_aliases: number }>(both, {
        userId: ann.userId,
      })
      return row
    }
    async function replay(...spans: Change[]) {
      const changes = pairs(spans)
      const sentAt = clock.now().toISOString()
      const { status, body } = await app.call(replaySwitches, { sentAt, changes }, ann)
      expect(status).toBe(200)
      const refused = body.refused.map(({ sessionId, to, code }) => `${to} ${at(changes, sessionId)}: ${code}`)
      return { changes, refused }
    }
    return { start, stop, switchOnAndOff, setStarts, rows, replay }
  })

test.beforeEach(async ({ clock }) => {
  clock.set('2026-06-15T16:00:00Z')
})

type Change = Parameters<typeof pairs>[0][number]

/** The start and stop of one session per span. */
function pairs(spans: { from: string; seconds: number; sessionId?: string; timeZone?: string }[]) {
  return spans.flatMap(({ from, seconds, sessionId = uuidv7(), timeZone = BERLIN }) => [
    { to: 'on' as const, sessionId, timeZone, actedAt: new Date(from).toISOString() },
    { to: 'off' as const, sessionId, actedAt: new Date(Date.parse(from) + seconds * 1000).toISOString() },
  ])
}

const at = (changes: { sessionId: string }[], id: string) =>
  Math.floor(changes.findIndex(({ sessionId }) => sessionId === id) / 2)

test('threat 87: a user can start 300 sessions per local date, deleted ones included, and more after midnight', async ({
  app,
  clock,
  ann,
  focus,
}) => {
  for (let n = 0; n < MAX_SESSIONS_PER_DAY; n++) {
    const sessionId = await focus.switchOnAndOff()
    if (n % 2) expect((await app.call(discardSession, { sessionId }, ann)).status).toBe(200)
  }
  const refused = await focus.start()
  expect([refused.status, refused.error.code]).toEqual([409, 'too_many_sessions'])
  expect(await focus.rows()).toEqual({ deeb_sessions: 300, deeb_session_aliases: 0 })

  clock.set('2026-06-15T21:59:59Z')
  expect((await focus.start()).status).toBe(409)
  // Midnight in Berlin.
  clock.set('2026-06-15T22:00:00Z')
  expect((await focus.start()).status).toBe(200)
})

test('threat 87: the limit uses the local date in the time zone of the start', async ({ focus }) => {
  await focus.setStarts(300, '2026-06-15')
  expect((await focus.start()).status).toBe(409)
  expect((await focus.start(uuidv7(), 'Pacific/Kiritimati')).status).toBe(200)
})

test('threat 87: a start that becomes an alias of the open session counts too', async ({ focus }) => {
  await focus.setStarts(297, '2026-06-15')
  const open = (await focus.start()).body.session.id
  expect([(await focus.start()).status, (await focus.start()).status]).toEqual([200, 200])
  expect((await focus.start()).error.code).toBe('too_many_sessions')
  expect(await focus.rows()).toEqual({ deeb_sessions: 1, deeb_session_aliases: 2 })
  // Ids that were accepted still work.
  expect((await focus.start(open)).status).toBe(200)
  expect((await focus.stop(open)).status).toBe(200)
  expect((await focus.start(open)).status).toBe(200)
})

test('threat 87: only one of two concurrent starts uses the last session of the limit', async ({ focus }) => {
  await focus.setStarts(299, '2026-06-15')
  const answers = await Promise.all([focus.start(), focus.start()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('threat 87: a start that arrives late counts on its own date', async ({ app, clock, ann, focus }) => {
  await focus.setStarts(300, '2026-06-14')
  const times = { actedAt: '2026-06-14T08:00:00.000Z', sentAt: clock.now().toISOString() }
  const late = await app.call(startFocus, { sessionId: uuidv7(), timeZone: BERLIN, times }, ann)
  expect([late.status, late.error.code]).toEqual([409, 'too_many_sessions'])
})

test('threat 87: a replay applies starts up to the limit of each date and refuses the others', async ({
  app,
  clock,
  ann,
  focus,
}) => {
  await focus.setStarts(299, '2026-06-14')
  const { refused, changes } = await focus.replay(
    { from: '2026-06-14T08:00:00Z', seconds: 60 },
    { from: '2026-06-14T09:00:00Z', seconds: 60 },
    { from: '2026-06-15T08:00:00Z', seconds: 60 },
    { from: '2026-06-14T22:30:00Z', seconds: 60 },
  )
  expect(refused).toEqual(['on 1: too_many_sessions', 'off 1: session_not_found'])
  expect(await focus.rows()).toEqual({ deeb_sessions: 3, deeb_session_aliases: 0 })

  // The replay is idempotent: accepted starts stay accepted.
  const sentAt = clock.now().toISOString()
  const again = await app.call(replaySwitches, { sentAt, changes }, ann)
  expect(again.body.refused.map(({ code }) => code)).toEqual(['too_many_sessions', 'session_not_found'])
  expect(await focus.rows()).toEqual({ deeb_sessions: 3, deeb_session_aliases: 0 })
})

test('threat 87: sessions that fill gaps, and empty sessions inside others, count too', async ({ focus }) => {
  const taken = [8, 9, 10, 11].map((hour) => ({
    from: `2026-06-14T${String(hour).padStart(2, '0')}:00:00Z`,
    seconds: 600,
  }))
  await focus.replay(...taken)
  await focus.setStarts(296, '2026-06-14')
  // Five gaps: before, between and after the four sessions.
  const { refused } = await focus.replay({ from: '2026-06-14T07:00:00Z', seconds: 6 * 3600 })
  expect(refused).toEqual(['on 0: too_many_sessions', 'off 0: session_not_found'])
  expect(await focus.rows()).toMatchObject({ deeb_sessions: 4 })

  await focus.setStarts(299, '2026-06-14')
  const inside = { from: '2026-06-14T08:01:00Z', seconds: 60 }
  expect((await focus.replay(inside)).refused).toEqual([])
  expect((await focus.replay(inside)).refused).toEqual(['on 0: too_many_sessions', 'off 0: session_not_found'])
  expect(await focus.rows()).toMatchObject({ deeb_sessions: 5 })
})

test('threat 87: a repeated start with an earlier time adds no sessions past the limit', async ({
  app,
  clock,
  ann,
  focus,
}) => {
  await focus.replay({ from: '2026-06-15T13:00:00Z', seconds: 600 }, { from: '2026-06-15T14:00:00Z', seconds: 600 })
  const open = (await focus.start()).body.session.id
  await focus.setStarts(MAX_SESSIONS_PER_DAY, '2026-06-15')
  const sentAt = clock.now().toISOString()
  const changes = [{ to: 'on' as const, sessionId: open, timeZone: BERLIN, actedAt: '2026-06-15T12:30:00.000Z' }]
  const { status, body } = await app.call(replaySwitches, { sentAt, changes }, ann)
  expect([status, body.openSession?.id]).toEqual([200, open])
  expect(body.refused.map(({ code }) => code)).toEqual(['too_many_sessions'])
  expect(await focus.rows()).toMatchObject({ deeb_sessions: 3 })
})

test('threat 87: a replay applies its stops when its starts exceed the limit', async ({ app, clock, ann, focus }) => {
  const open = (await focus.start()).body.session.id
  clock.advance({ hours: 1 })
  await focus.setStarts(300, '2026-06-14')
  const off = { to: 'off' as const, sessionId: open, actedAt: '2026-06-15T16:30:00.000Z' }
  const changes = [...pairs([{ from: '2026-06-14T08:00:00Z', seconds: 60 }]), off]
  const sentAt = clock.now().toISOString()
  const { body } = await app.call(replaySwitches, { sentAt, changes }, ann)
  expect(body.openSession).toBeNull()
  expect(body.refused.map(({ code }) => code)).toEqual(['too_many_sessions', 'session_not_found'])
})

test('threat 87: the constraint of the database has the same limit as the code', async ({ focus }) => {
  await focus.setStarts(MAX_SESSIONS_PER_DAY, '2026-06-15')
  await expect(focus.setStarts(MAX_SESSIONS_PER_DAY + 1, '2026-06-15')).rejects.toThrow('daily_start_counts_max')
})

test('threat 166: programs leave a third of the starts of a day for their owner, whichever call they use', async ({
  app,
  clock,
  ann,
  focus,
}) => {
  const { token } = await makePersonalToken(app, ann, ['switch'])
  const byProgram = async (endpoint: Endpoint, payload: object) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await app.inject({ method: endpoint.method, url: endpoint.path, headers, payload })).json()
  }
  await focus.setStarts(MAX_SESSIONS_PER_DAY_BY_PROGRAMS - 1, '2026-06-15')
  const sessionId = uuidv7()
  const input = { sessionId, timeZone: BERLIN }
  expect((await byProgram(startFocus, input)).session.id).toBe(sessionId)
  // A repeated start is none.
  expect((await byProgram(startFocus, input)).session.id).toBe(sessionId)
  expect((await byProgram(startFocus, { ...input, sessionId: uuidv7() })).code).toBe('too_many_sessions')
  clock.advance({ minutes: 1 })
  await byProgram(switchFocus, { on: false })
  expect((await byProgram(switchFocus, { on: true })).code).toBe('too_many_sessions')
  const changes = pairs([{ from: '2026-06-15T09:00:00Z', seconds: 60 }])
  const { refused } = await byProgram(replaySwitches, { sentAt: clock.now().toISOString(), changes })
  expect(refused.map(({ code }: { code: string }) => code)).toEqual(['too_many_sessions', 'session_not_found'])
  expect((await focus.start()).status).toBe(200)
  expect((await focus.replay({ from: '2026-06-15T09:00:00Z', seconds: 60 })).refused).toEqual([])
})
