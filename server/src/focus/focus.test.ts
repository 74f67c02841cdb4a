import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { statement } from '../db/db.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { closeForgottenSessions } from './close-forgotten.ts'

const BERLIN = 'Europe/Berlin'

const test = base.extend('focus', ({ app, clock, focusOf }) => {
  const sessionsOf = (user: MadeUser) =>
    app.db.query<{ id: string; open: boolean; capped: boolean }>(
      statement('test.sessions', 'select id, is_active as open, capped from deeb_sessions where user_id = :userId'),
      { userId: user.userId },
    )
  const statsOf = (user: MadeUser) =>
    app.db.query<{ date: string; seconds: number; minutes: number }>(
      statement(
        'test.stats',
        'select date, total_seconds as seconds, total_minutes as minutes from daily_stats where user_id = :userId order by date',
      ),
      { userId: user.userId },
    )
  const presenceOf = (user: MadeUser) =>
    app.db.query<{ on: boolean; session: string | null }>(
      statement(
        'test.presence',
        'select is_in_deeb_mode as on, current_session_id as session from user_presence where user_id = :userId',
      ),
      { userId: user.userId },
    )
  /** Runs a session between two instants. Returns the minutes of each local date. */
  async function minutesPerDate(timeZone: string, from: string, to: string): Promise<Record<string, number>> {
    clock.set(from)
    mara = await makeUser(app)
    const { body } = await focusOf(mara).start(uuidv7(), timeZone)
    clock.set(to)
    await focusOf(mara).stop(body.session.id)
    return Object.fromEntries((await statsOf(mara)).map(({ date, minutes }) => [date, minutes]))
  }
  return { sessionsOf, statsOf, presenceOf, minutesPerDate }
})

let mara: MadeUser
test.beforeEach(async ({ app, clock }) => {
  clock.set('2026-06-15T09:00:00.000Z')
  mara = await makeUser(app)
})

describe('switching on and off', () => {
  test('start opens a session with presence, stop saves the time', async ({ clock, focusOf, focus }) => {
    const { body } = await focusOf(mara).start()
    expect(body.session).toMatchObject({ startedAt: '2026-06-15T09:00:00.000Z', endedAt: null })
    expect(await focus.presenceOf(mara)).toEqual([{ on: true, session: body.session.id }])
    expect((await focusOf(mara).home()).body.openSession).toEqual(body.session)

    clock.advance({ minutes: 25, seconds: 30 })
    const stopped = await focusOf(mara).stop(body.session.id)
    expect(stopped.body.session.endedAt).toBe('2026-06-15T09:25:30.000Z')
    expect(await focus.presenceOf(mara)).toEqual([{ on: false, session: null }])
    expect((await focusOf(mara).home()).body).toMatchObject({ openSession: null, today: { savedSeconds: 1530 } })
    expect(await focus.statsOf(mara)).toEqual([{ date: '2026-06-15', seconds: 1530, minutes: 25 }])
  })

  test('short sessions add up to minutes by their seconds', async ({ clock, focusOf, focus }) => {
    for (let i = 0; i < 4; i++) {
      const { body } = await focusOf(mara).start()
      clock.advance({ seconds: 45 })
      await focusOf(mara).stop(body.session.id)
    }
    expect(await focus.statsOf(mara)).toEqual([{ date: '2026-06-15', seconds: 180, minutes: 3 }])
  })

  test('a second start returns the open session, and stop accepts either id', async ({ clock, focusOf, focus }) => {
    const first = await focusOf(mara).start()
    clock.advance({ minutes: 5 })
    const second = uuidv7()
    expect((await focusOf(mara).start(second)).body.session).toEqual(first.body.session)
    expect((await focusOf(mara).stop(second)).body.session.id).toBe(first.body.session.id)
    expect((await focusOf(mara).stop(first.body.session.id)).body.session.endedAt).toBe('2026-06-15T09:05:00.000Z')
    expect(await focus.sessionsOf(mara)).toEqual([{ id: first.body.session.id, open: false, capped: false }])
  })

  test('concurrent starts open one session', async ({ focusOf, focus }) => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => focusOf(mara).start()))
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map((answer) => answer.body.session.id)).size).toBe(1)
    expect(await focus.sessionsOf(mara)).toHaveLength(1)
  })

  test('the database rejects a second open session', async ({ app, focusOf }) => {
    await focusOf(mara).start()
    const insert = statement(
      'test.second-open',
      `insert into deeb_sessions (user_id, id, start_time, time_zone, start_date, next_date, next_date_starts_at)
       values (:userId, gen_random_uuid(), now(), 'UTC', '2026-06-15', '2026-06-16', now() + interval '1 day')`,
    )
    await expect(app.db.query(insert, { userId: mara.userId })).rejects.toThrow(/deeb_sessions_one_open/)
  })

  test('start is idempotent after its session has ended', async ({ clock, focusOf }) => {
    const { body } = await focusOf(mara).start()
    clock.advance({ minutes: 3 })
    await focusOf(mara).stop(body.session.id)
    expect((await focusOf(mara).start(body.session.id)).body.session.endedAt).toBe('2026-06-15T09:03:00.000Z')
    expect((await focusOf(mara).home()).body.openSession).toBeNull()
  })

  test('start under an alias is idempotent after the session has ended', async ({ focusOf }) => {
    const first = await focusOf(mara).start()
    const second = uuidv7()
    await focusOf(mara).start(second)
    await focusOf(mara).stop(first.body.session.id)
    expect((await focusOf(mara).start(second)).body.session.id).toBe(first.body.session.id)
    expect((await focusOf(mara).home()).body.openSession).toBeNull()
  })

  test('stop is idempotent, also when concurrent: the first end stays and counts once', async ({
    clock,
    focusOf,
    focus,
  }) => {
    const { body } = await focusOf(mara).start()
    clock.advance({ minutes: 10 })
    await Promise.all([
      focusOf(mara).stop(body.session.id),
      focusOf(mara).stop(body.session.id),
      focusOf(mara).stop(body.session.id),
    ])
    clock.advance({ minutes: 10 })
    expect((await focusOf(mara).stop(body.session.id)).body.session.endedAt).toBe('2026-06-15T09:10:00.000Z')
    expect(await focus.statsOf(mara)).toEqual([{ date: '2026-06-15', seconds: 600, minutes: 10 }])
  })

  test('concurrent stops and repeated starts leave no session that cannot be stopped', async ({ clock, focusOf }) => {
    for (let round = 0; round < 25; round++) {
      // Slow enough for the rate limit.
      clock.advance({ seconds: 5 })
      const before = uuidv7()
      await focusOf(mara).start(before)
      const next = uuidv7()
      await Promise.all([
        focusOf(mara).stop(before),
        focusOf(mara).start(next),
        focusOf(mara).start(next),
        focusOf(mara).start(next),
        focusOf(mara).stop(before),
        focusOf(mara).start(next),
      ])
      const { openSession } = (await focusOf(mara).home()).body
      if (openSession) await focusOf(mara).stop(openSession.id)
      await focusOf(mara).stop(next)
      expect((await focusOf(mara).home()).body.openSession).toBeNull()
    }
  })

  test("stop refuses another user's session as not found", async ({ app, focusOf, focus }) => {
    const { body } = await focusOf(mara).start()
    const stranger = await makeUser(app)
    const answer = await focusOf(stranger).stop(body.session.id)
    expect([answer.status, answer.error.code]).toEqual([404, 'session_not_found'])
    expect(await focus.presenceOf(mara)).toEqual([{ on: true, session: body.session.id }])
    // Ids are per user: the stranger can use the same id for their own session.
    expect((await focusOf(stranger).start(body.session.id, BERLIN)).status).toBe(200)
    expect(await focus.sessionsOf(mara)).toHaveLength(1)
  })

  test('start rejects an unknown time zone', async ({ focusOf, focus }) => {
    for (const timeZone of ['Europe/Atlantis', '', '+0200']) {
      const answer = await focusOf(mara).start(uuidv7(), timeZone)
      expect([answer.status, answer.error.code]).toEqual([400, 'invalid_time_zone'])
    }
    expect(await focus.sessionsOf(mara)).toEqual([])
  })
})

describe('daily totals', () => {
  //  Berlin (UTC+2)   23:50 |---- 10 min ----| 00:00 |---- 10 min ----| 00:10
  test('a session over midnight is split between both dates', async ({ focus }) => {
    expect(await focus.minutesPerDate(BERLIN, '2026-06-15T21:50:00Z', '2026-06-15T22:10:00Z')).toEqual({
      '2026-06-15': 10,
      '2026-06-16': 10,
    })
  })

  //  Sun 29 March 2026   23:30 |-- 30 min --| 00:00 ... 02:00 -> 03:00 ... 04:00   clock hands 4 h, real time 3 h
  test('a session counts real time when clocks go forward', async ({ focus }) => {
    expect(await focus.minutesPerDate(BERLIN, '2026-03-28T22:30:00Z', '2026-03-29T02:00:00Z')).toEqual({
      '2026-03-28': 30,
      '2026-03-29': 180,
    })
  })

  //  Sun 25 October 2026   23:30 |-- 30 min --| 00:00 ... 03:00 -> 02:00 ... 04:00   clock hands 4 h, real time 5 h
  test('a session counts the extra hour when clocks go back', async ({ focus }) => {
    expect(await focus.minutesPerDate(BERLIN, '2026-10-24T21:30:00Z', '2026-10-25T03:00:00Z')).toEqual({
      '2026-10-24': 30,
      '2026-10-25': 300,
    })
  })

  //  Havana, Sun 1 November 2026: 01:00 -> 00:00, so midnight comes twice. The date begins at the first one, 04:00 UTC.
  test('a date begins at the first midnight when midnight occurs twice', async ({ focus }) => {
    expect(await focus.minutesPerDate('America/Havana', '2026-11-01T03:30:00Z', '2026-11-01T05:30:00Z')).toEqual({
      '2026-10-31': 30,
      '2026-11-01': 90,
    })
  })

  test('home counts only the part of the open session that is in today', async ({ clock, focusOf }) => {
    clock.set('2026-06-15T21:50:00Z')
    const { body } = await focusOf(mara).start()
    clock.set('2026-06-15T22:05:00Z')
    const { body: shown } = await focusOf(mara).home()
    expect(shown.today).toMatchObject({ date: '2026-06-16', dayOfWeek: 2, startsAt: '2026-06-15T22:00:00.000Z' })
    expect(shown).toMatchObject({ today: { savedSeconds: 0 }, openSession: body.session })
  })

  test('a session is split in the time zone of its start, wherever it is read', async ({ clock, focusOf, focus }) => {
    clock.set('2026-06-15T21:30:00Z')
    const { body } = await focusOf(mara).start(uuidv7(), BERLIN)
    clock.set('2026-06-15T22:30:00Z')
    await focusOf(mara).stop(body.session.id)
    expect(await focus.statsOf(mara)).toMatchObject([
      { date: '2026-06-15', minutes: 30 },
      { date: '2026-06-16', minutes: 30 },
    ])
    expect((await focusOf(mara).home('America/New_York')).body).toMatchObject({
      today: { date: '2026-06-15', savedSeconds: 1800 },
    })
  })
})

describe('a forgotten session', () => {
  test('a stop after 40 hours ends it at 16 hours', async ({ clock, focusOf, focus }) => {
    const { body } = await focusOf(mara).start()
    clock.advance({ hours: 40 })
    expect((await focusOf(mara).stop(body.session.id)).body.session.endedAt).toBe('2026-06-16T01:00:00.000Z')
    expect(await focus.sessionsOf(mara)).toEqual([{ id: body.session.id, open: false, capped: true }])
    // 11:00 to midnight in Berlin, then until 03:00.
    expect(await focus.statsOf(mara)).toMatchObject([
      { date: '2026-06-15', minutes: 13 * 60 },
      { date: '2026-06-16', minutes: 3 * 60 },
    ])
  })

  test('the periodic job ends it at 16 hours, not before', async ({ app, clock, focusOf, focus }) => {
    const { body } = await focusOf(mara).start()
    clock.advance({ hours: 15, minutes: 59, seconds: 59 })
    await closeForgottenSessions(app.db, clock.now())
    expect(await focus.presenceOf(mara)).toEqual([{ on: true, session: body.session.id }])
    clock.advance({ hours: 9 })
    await closeForgottenSessions(app.db, clock.now())
    await closeForgottenSessions(app.db, clock.now())
    expect(await focus.presenceOf(mara)).toEqual([{ on: false, session: null }])
    expect(await focus.statsOf(mara)).toMatchObject([{ minutes: 13 * 60 }, { minutes: 3 * 60 }])
    expect(await focus.sessionsOf(mara)).toEqual([{ id: body.session.id, open: false, capped: true }])
  })
})
