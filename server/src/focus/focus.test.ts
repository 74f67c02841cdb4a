import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { closeForgottenSessions } from './close-forgotten.ts'

const BERLIN = 'Europe/Berlin'

let testApp: TestApp
let mara: MadeUser
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.clock.set('2026-06-15T09:00:00.000Z')
  mara = await makeUser(testApp)
})

const start = (sessionId = uuidv7(), timeZone = BERLIN, user = mara) =>
  testApp.call(startFocus, { sessionId, timeZone }, user)
const stop = (sessionId: string, user = mara) => testApp.call(stopFocus, { sessionId }, user)
const home = (timeZone = BERLIN, user = mara) => testApp.call(readHome, { timeZone }, user)

const sessionsOf = (user: MadeUser) =>
  testApp.db.query<{ id: string; open: boolean; capped: boolean }>(
    statement('test.sessions', 'select id, is_active as open, capped from deeb_sessions where user_id = :userId'),
    { userId: user.userId },
  )
const statsOf = (user: MadeUser) =>
  testApp.db.query<{ date: string; seconds: number; minutes: number }>(
    statement(
      'test.stats',
      'select date, total_seconds as seconds, total_minutes as minutes from daily_stats where user_id = :userId order by date',
    ),
    { userId: user.userId },
  )
const presenceOf = (user: MadeUser) =>
  testApp.db.query<{ on: boolean; session: string | null }>(
    statement(
      'test.presence',
      'select is_in_deeb_mode as on, current_session_id as session from user_presence where user_id = :userId',
    ),
    { userId: user.userId },
  )

describe('switching on and off', () => {
  test('start opens a session with presence, stop saves the time', async () => {
    const { body } = await start()
    expect(body.session).toMatchObject({ startedAt: '2026-06-15T09:00:00.000Z', endedAt: null })
    expect(await presenceOf(mara)).toEqual([{ on: true, session: body.session.id }])
    expect((await home()).body.openSession).toEqual(body.session)

    testApp.clock.advance({ minutes: 25, seconds: 30 })
    const stopped = await stop(body.session.id)
    expect(stopped.body.session.endedAt).toBe('2026-06-15T09:25:30.000Z')
    expect(await presenceOf(mara)).toEqual([{ on: false, session: null }])
    expect((await home()).body).toMatchObject({ openSession: null, today: { savedSeconds: 1530 } })
    expect(await statsOf(mara)).toEqual([{ date: '2026-06-15', seconds: 1530, minutes: 25 }])
  })

  test('short sessions add up to minutes by their seconds', async () => {
    for (let i = 0; i < 4; i++) {
      const { body } = await start()
      testApp.clock.advance({ seconds: 45 })
      await stop(body.session.id)
    }
    expect(await statsOf(mara)).toEqual([{ date: '2026-06-15', seconds: 180, minutes: 3 }])
  })

  test('a second start returns the open session, and stop accepts either id', async () => {
    const first = await start()
    testApp.clock.advance({ minutes: 5 })
    const second = uuidv7()
    expect((await start(second)).body.session).toEqual(first.body.session)
    expect((await stop(second)).body.session.id).toBe(first.body.session.id)
    expect((await stop(first.body.session.id)).body.session.endedAt).toBe('2026-06-15T09:05:00.000Z')
    expect(await sessionsOf(mara)).toEqual([{ id: first.body.session.id, open: false, capped: false }])
  })

  test('concurrent starts open one session', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => start()))
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map((answer) => answer.body.session.id)).size).toBe(1)
    expect(await sessionsOf(mara)).toHaveLength(1)
  })

  test('the database rejects a second open session', async () => {
    await start()
    const insert = statement(
      'test.second-open',
      `insert into deeb_sessions (user_id, id, start_time, time_zone, start_date, next_date, next_date_starts_at)
       values (:userId, gen_random_uuid(), now(), 'UTC', '2026-06-15', '2026-06-16', now() + interval '1 day')`,
    )
    await expect(testApp.db.query(insert, { userId: mara.userId })).rejects.toThrow(/deeb_sessions_one_open/)
  })

  test('start is idempotent after its session has ended', async () => {
    const { body } = await start()
    testApp.clock.advance({ minutes: 3 })
    await stop(body.session.id)
    expect((await start(body.session.id)).body.session.endedAt).toBe('2026-06-15T09:03:00.000Z')
    expect((await home()).body.openSession).toBeNull()
  })

  test('start under an alias is idempotent after the session has ended', async () => {
    const first = await start()
    const second = uuidv7()
    await start(second)
    await stop(first.body.session.id)
    expect((await start(second)).body.session.id).toBe(first.body.session.id)
    expect((await home()).body.openSession).toBeNull()
  })

  test('stop is idempotent, also when concurrent: the first end stays and counts once', async () => {
    const { body } = await start()
    testApp.clock.advance({ minutes: 10 })
    await Promise.all([stop(body.session.id), stop(body.session.id), stop(body.session.id)])
    testApp.clock.advance({ minutes: 10 })
    expect((await stop(body.session.id)).body.session.endedAt).toBe('2026-06-15T09:10:00.000Z')
    expect(await statsOf(mara)).toEqual([{ date: '2026-06-15', seconds: 600, minutes: 10 }])
  })

  test('concurrent stops and repeated starts leave no session that cannot be stopped', async () => {
    for (let round = 0; round < 25; round++) {
      // Slow enough for the rate limit.
      testApp.clock.advance({ seconds: 5 })
      const before = uuidv7()
      await start(before)
      const next = uuidv7()
      await Promise.all([stop(before), start(next), start(next), start(next), stop(before), start(next)])
      const { openSession } = (await home()).body
      if (openSession) await stop(openSession.id)
      await stop(next)
      expect((await home()).body.openSession).toBeNull()
    }
  })

  test("stop refuses another user's session as not found", async () => {
    const { body } = await start()
    const stranger = await makeUser(testApp)
    const answer = await stop(body.session.id, stranger)
    expect([answer.status, answer.error.code]).toEqual([404, 'session_not_found'])
    expect(await presenceOf(mara)).toEqual([{ on: true, session: body.session.id }])
    // Ids are per user: the stranger can use the same id for their own session.
    expect((await start(body.session.id, BERLIN, stranger)).status).toBe(200)
    expect(await sessionsOf(mara)).toHaveLength(1)
  })

  test('start rejects an unknown time zone', async () => {
    for (const timeZone of ['Europe/Atlantis', '', '+0200']) {
      const answer = await start(uuidv7(), timeZone)
      expect([answer.status, answer.error.code]).toEqual([400, 'invalid_time_zone'])
    }
    expect(await sessionsOf(mara)).toEqual([])
  })
})

describe('daily totals', () => {
  /** Runs a session between two instants. Returns the minutes of each local date. */
  async function minutesPerDate(timeZone: string, from: string, to: string): Promise<Record<string, number>> {
    testApp.clock.set(from)
    mara = await makeUser(testApp)
    const { body } = await start(uuidv7(), timeZone)
    testApp.clock.set(to)
    await stop(body.session.id)
    return Object.fromEntries((await statsOf(mara)).map(({ date, minutes }) => [date, minutes]))
  }

  //  Berlin (UTC+2)   23:50 |---- 10 min ----| 00:00 |---- 10 min ----| 00:10
  test('a session over midnight is split between both dates', async () => {
    expect(await minutesPerDate(BERLIN, '2026-06-15T21:50:00Z', '2026-06-15T22:10:00Z')).toEqual({
      '2026-06-15': 10,
      '2026-06-16': 10,
    })
  })

  //  Sun 29 March 2026   23:30 |-- 30 min --| 00:00 ... 02:00 -> 03:00 ... 04:00   clock hands 4 h, real time 3 h
  test('a session counts real time when clocks go forward', async () => {
    expect(await minutesPerDate(BERLIN, '2026-03-28T22:30:00Z', '2026-03-29T02:00:00Z')).toEqual({
      '2026-03-28': 30,
      '2026-03-29': 180,
    })
  })

  //  Sun 25 October 2026   23:30 |-- 30 min --| 00:00 ... 03:00 -> 02:00 ... 04:00   clock hands 4 h, real time 5 h
  test('a session counts the extra hour when clocks go back', async () => {
    expect(await minutesPerDate(BERLIN, '2026-10-24T21:30:00Z', '2026-10-25T03:00:00Z')).toEqual({
      '2026-10-24': 30,
      '2026-10-25': 300,
    })
  })

  //  Havana, Sun 1 November 2026: 01:00 -> 00:00, so midnight comes twice. The date begins at the first one, 04:00 UTC.
  test('a date begins at the first midnight when midnight occurs twice', async () => {
    expect(await minutesPerDate('America/Havana', '2026-11-01T03:30:00Z', '2026-11-01T05:30:00Z')).toEqual({
      '2026-10-31': 30,
      '2026-11-01': 90,
    })
  })

  test('home counts only the part of the open session that is in today', async () => {
    testApp.clock.set('2026-06-15T21:50:00Z')
    const { body } = await start()
    testApp.clock.set('2026-06-15T22:05:00Z')
    const { body: shown } = await home()
    expect(shown.today).toMatchObject({ date: '2026-06-16', dayOfWeek: 2, startsAt: '2026-06-15T22:00:00.000Z' })
    expect(shown).toMatchObject({ today: { savedSeconds: 0 }, openSession: body.session })
  })

  test('a session is split in the time zone of its start, wherever it is read', async () => {
    testApp.clock.set('2026-06-15T21:30:00Z')
    const { body } = await start(uuidv7(), BERLIN)
    testApp.clock.set('2026-06-15T22:30:00Z')
    await stop(body.session.id)
    expect(await statsOf(mara)).toMatchObject([
      { date: '2026-06-15', minutes: 30 },
      { date: '2026-06-16', minutes: 30 },
    ])
    expect((await home('America/New_York')).body).toMatchObject({ today: { date: '2026-06-15', savedSeconds: 1800 } })
  })
})

describe('a forgotten session', () => {
  test('a stop after 40 hours ends it at 16 hours', async () => {
    const { body } = await start()
    testApp.clock.advance({ hours: 40 })
    expect((await stop(body.session.id)).body.session.endedAt).toBe('2026-06-16T01:00:00.000Z')
    expect(await sessionsOf(mara)).toEqual([{ id: body.session.id, open: false, capped: true }])
    // 11:00 to midnight in Berlin, then until 03:00.
    expect(await statsOf(mara)).toMatchObject([
      { date: '2026-06-15', minutes: 13 * 60 },
      { date: '2026-06-16', minutes: 3 * 60 },
    ])
  })

  test('the periodic job ends it at 16 hours, not before', async () => {
    const { body } = await start()
    testApp.clock.advance({ hours: 15, minutes: 59, seconds: 59 })
    await closeForgottenSessions(testApp.db, testApp.clock.now())
    expect(await presenceOf(mara)).toEqual([{ on: true, session: body.session.id }])
    testApp.clock.advance({ hours: 9 })
    await closeForgottenSessions(testApp.db, testApp.clock.now())
    await closeForgottenSessions(testApp.db, testApp.clock.now())
    expect(await presenceOf(mara)).toEqual([{ on: false, session: null }])
    expect(await statsOf(mara)).toMatchObject([{ minutes: 13 * 60 }, { minutes: 3 * 60 }])
    expect(await sessionsOf(mara)).toEqual([{ id: body.session.id, open: false, capped: true }])
  })
})
