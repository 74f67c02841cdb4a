import { readHome } from '@deeb/core/home/api'
import { correctSession } from '@deeb/core/sessions/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import { readWeek } from '@deeb/core/stats/api'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { statement } from '../db/db.ts'
import { cleanUp } from '../retention/clean-up.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const BERLIN = 'Europe/Berlin'

const test = base.extend('focus', ({ app, clock, focusOf }) => {
  const correct = (sessionId: string, times: { startedAt?: string; endedAt?: string }, user = mara) => {
    const input = Object.fromEntries(Object.entries(times).map(([name, time]) => [name, at(time)]))
    return app.call(correctSession, { sessionId, ...input }, user)
  }
  /** Runs a session between two times and leaves the clock at its end. Returns its id. */
  async function worked(from: string, to: string, timeZone = BERLIN): Promise<string> {
    clock.set(at(from))
    const { id } = (await focusOf(mara).start(uuidv7(), timeZone)).body.session
    clock.set(at(to))
    await focusOf(mara).stop(id)
    return id
  }
  const expectNone = async (id: string, user = mara) => {
    for (const answer of [await correct(id, { endedAt: '06-15T08:30:00' }, user), await focusOf(user).keep(id)]) {
      expect([answer.status, answer.error.code]).toEqual([404, 'session_not_found'])
    }
    expect((await focusOf(mara).listed()).map((session) => session.id)).not.toContain(user === mara ? id : null)
  }
  return { correct, worked, expectNone }
})

let mara: MadeUser
test.beforeEach(async ({ app, clock }) => {
  clock.set('2026-06-15T06:00:00Z')
  mara = await makeUser(app)
})
test.afterEach(({ app }) => expectConsistent(app, mara))

/** Times of 2026, as `06-15T08:00:00`, in UTC. */
const at = (time: string) => `2026-${time}.000Z`

describe('correcting a session', () => {
  test('moves its start, its end or both, and updates day and week immediately', async ({ app, focusOf, focus }) => {
    const id = await focus.worked('06-15T08:00:00', '06-15T09:00:00')
    const savedMinutes = async () => {
      const { today } = (await app.call(readHome, { timeZone: BERLIN }, mara)).body
      const { week } = (await app.call(readWeek, { timeZone: BERLIN }, mara)).body
      expect(week[0]).toMatchObject({ date: today.date, savedSeconds: today.savedSeconds })
      return today.savedSeconds / 60
    }
    const { body } = await focus.correct(id, { endedAt: '06-15T08:30:00' })
    expect(body.session).toMatchObject({ id, startedAt: at('06-15T08:00:00'), endedAt: at('06-15T08:30:00') })
    expect(await savedMinutes()).toBe(30)
    await focus.correct(id, { startedAt: '06-15T07:45:00' })
    expect(await savedMinutes()).toBe(45)
    await focus.correct(id, { startedAt: '06-15T07:00:00', endedAt: '06-15T08:50:00' })
    expect(await savedMinutes()).toBe(110)
    expect(await focusOf(mara).listed()).toEqual([
      { id, startedAt: at('06-15T07:00:00'), endedAt: at('06-15T08:50:00'), interruptions: 0 },
    ])
  })

  test('does not change the open session or presence', async ({ app, focusOf, focus }) => {
    const id = await focus.worked('06-15T08:00:00', '06-15T09:00:00')
    const { session } = (await focusOf(mara).start()).body
    await focus.correct(id, { endedAt: '06-15T08:30:00' })
    await focusOf(mara).discard(id)
    expect((await app.call(readHome, { timeZone: BERLIN }, mara)).body.openSession).toEqual(session)
  })

  test('splits it at midnight again', async ({ clock, focusOf, focus }) => {
    // 23:00 to 23:30, then until 00:30, then from 00:10.
    const id = await focus.worked('06-15T21:00:00', '06-15T21:30:00')
    clock.set(at('06-16T09:00:00'))
    await focus.correct(id, { endedAt: '06-15T22:30:00' })
    expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-15': 60, '06-16': 30 })
    await focus.correct(id, { startedAt: '06-15T22:10:00' })
    expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-16': 20 })
    await focus.correct(id, { startedAt: '06-15T20:00:00', endedAt: '06-15T22:00:00' })
    expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-15': 120 })
  })

  test('counts real time in both nights of clock changes', async ({ app, clock, focusOf, focus }) => {
    // 23:00 to 04:00 on the clock: 1 + 3 hours in March, 1 + 5 hours in October.
    clock.set(at('03-28T12:00:00'))
    mara = await makeUser(app)
    const spring = await focus.worked('03-28T22:00:00', '03-28T22:10:00')
    clock.set(at('03-29T12:00:00'))
    await focus.correct(spring, { endedAt: '03-29T02:00:00' })
    expect(await focusOf(mara).minutesPerDate()).toEqual({ '03-28': 60, '03-29': 180 })

    clock.set(at('10-24T12:00:00'))
    mara = await makeUser(app)
    const autumn = await focus.worked('10-24T21:00:00', '10-24T21:10:00')
    clock.set(at('10-25T12:00:00'))
    await focus.correct(autumn, { endedAt: '10-25T03:00:00' })
    expect(await focusOf(mara).minutesPerDate()).toEqual({ '10-24': 60, '10-25': 300 })
  })

  test('splits it in the time zone of its start', async ({ clock, focusOf, focus }) => {
    // Kathmandu, UTC+5:45: midnight is 18:15 UTC.
    const id = await focus.worked('06-15T17:15:00', '06-15T17:45:00', 'Asia/Kathmandu')
    clock.set(at('06-15T20:00:00'))
    await focus.correct(id, { endedAt: '06-15T18:45:00' })
    expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-15': 60, '06-16': 30 })
  })

  test.for([
    ['an end before the start', { endedAt: '06-15T07:59:59' }, 'endedAt'],
    ['no length', { endedAt: '06-15T08:00:00' }, 'endedAt'],
    ['a start after the end', { startedAt: '06-15T09:00:01' }, 'endedAt'],
    ['an end in the future', { endedAt: '06-15T09:00:01' }, 'endedAt'],
    ['more than 16 hours', { startedAt: '06-14T16:59:59' }, 'endedAt'],
    ['a start more than 7 days ago', { startedAt: '06-08T08:59:59', endedAt: '06-08T10:00:00' }, 'startedAt'],
  ] as const)('rejects %s and changes nothing', async ([_, times, field], { focusOf, focus }) => {
    const id = await focus.worked('06-15T08:00:00', '06-15T09:00:00')
    const before = await focusOf(mara).listed()
    const answer = await focus.correct(id, times)
    expect([answer.status, answer.error.code, answer.error.fields?.[0]?.path]).toEqual([400, 'invalid_input', field])
    expect(await focusOf(mara).listed()).toEqual(before)
  })

  test('accepts the limits: 16 hours, and 7 days ago', async ({ focus }) => {
    const id = await focus.worked('06-15T08:00:00', '06-15T09:00:00')
    expect((await focus.correct(id, { startedAt: '06-14T17:00:00' })).status).toBe(200)
    expect((await focus.correct(id, { startedAt: '06-08T09:00:00', endedAt: '06-08T10:00:00' })).status).toBe(200)
  })

  test('rejects an overlapping correction, accepts an adjacent one', async ({ clock, focusOf, focus }) => {
    const first = await focus.worked('06-15T07:00:00', '06-15T08:00:00')
    const id = await focus.worked('06-15T09:00:00', '06-15T10:00:00')
    clock.set(at('06-15T11:00:00'))
    await focusOf(mara).start()
    clock.set(at('06-15T12:00:00'))
    const onto = [{ startedAt: '06-15T07:59:59' }, { endedAt: '06-15T11:00:01' }, { startedAt: '06-15T06:00:00' }]
    for (const times of onto) {
      const answer = await focus.correct(id, times)
      expect([answer.status, answer.error.code]).toEqual([409, 'session_overlaps'])
    }
    expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-15': 120 })
    expect((await focus.correct(id, { startedAt: '06-15T08:00:00', endedAt: '06-15T11:00:00' })).status).toBe(200)
    // The time of a discarded session is free.
    await focusOf(mara).discard(first)
    expect((await focus.correct(id, { startedAt: '06-15T06:30:00' })).status).toBe(200)
    expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-15': 270 })
  })

  test('is idempotent, also when concurrent', async ({ focusOf, focus }) => {
    const id = await focus.worked('06-15T08:00:00', '06-15T09:00:00')
    const again = () => focus.correct(id, { endedAt: '06-15T08:30:00' })
    const answers = [await again(), await again(), ...(await Promise.all([again(), again()]))]
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
    expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-15': 30 })
  })
})

describe('discarding a session', () => {
  test('subtracts its time from both dates once, also when repeated or concurrent', async ({ focusOf, focus }) => {
    const id = await focus.worked('06-15T21:30:00', '06-15T22:30:00')
    await focus.worked('06-15T22:40:00', '06-15T22:50:00')
    const answers = [
      ...(await Promise.all([focusOf(mara).discard(id), focusOf(mara).discard(id), focusOf(mara).discard(id)])),
      await focusOf(mara).discard(id),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
    expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-16': 10 })
    expect(await focusOf(mara).listed()).toHaveLength(1)
  })

  test('removes a week without other sessions from the average', async ({ app, clock, focusOf, focus }) => {
    const id = await focus.worked('06-15T21:30:00', '06-15T22:30:00')
    await focusOf(mara).discard(id)
    clock.set(at('06-24T09:00:00'))
    expect((await app.call(readWeek, { timeZone: BERLIN }, mara)).body.averageWeekMinutes).toBeNull()
  })

  test('subtracts exactly what was counted when time-zone rules have changed since', async ({
    app,
    clock,
    focusOf,
  }) => {
    clock.set(at('06-15T21:30:00'))
    const id = uuidv7()
    await focusOf(mara).start(id)
    const older = `update deeb_sessions set next_date_starts_at = next_date_starts_at + interval '1 hour' where id = :id`
    await app.db.query(statement('test.older-tables', older), { id })
    clock.advance({ minutes: 60 })
    await focusOf(mara).stop(id)
    expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-15': 60 })
    await focusOf(mara).discard(id)
    expect(await focusOf(mara).minutesPerDate()).toEqual({})
  })

  test('is permanent: a late repeat of its start or stop does not restore it', async ({ app, clock, focusOf }) => {
    clock.set(at('06-15T08:00:00'))
    const [id, alias] = [uuidv7(), uuidv7()]
    await focusOf(mara).start(id)
    await focusOf(mara).start(alias)
    clock.advance({ minutes: 30 })
    await focusOf(mara).stop(id)
    await focusOf(mara).discard(id)
    clock.advance({ minutes: 30 })
    for (const repeat of [
      focusOf(mara).start(id),
      focusOf(mara).stop(id),
      focusOf(mara).start(alias),
      focusOf(mara).stop(alias),
    ]) {
      const { status, body } = await repeat
      expect([status, body.session]).toEqual([200, expect.objectContaining({ id, endedAt: at('06-15T08:00:00') })])
    }
    expect((await app.call(readHome, { timeZone: BERLIN }, mara)).body.openSession).toBeNull()
    expect(await focusOf(mara).listed()).toEqual([])
    expect(await focusOf(mara).minutesPerDate()).toEqual({})
  })

  test('leaves a tombstone that is purged after 8 days', async ({ app, focusOf, focus }) => {
    const id = await focus.worked('06-15T08:00:00', '06-15T09:00:00')
    await focusOf(mara).discard(id)
    await cleanUp(app.db, new Date('2026-06-16T09:00:00Z'))
    expect((await focusOf(mara).discard(id)).status).toBe(200)
    await cleanUp(app.db, new Date('2026-06-23T09:00:00Z'))
    expect((await focusOf(mara).discard(id)).status).toBe(200)
    await cleanUp(app.db, new Date('2026-06-23T09:00:01Z'))
    expect((await focusOf(mara).discard(id)).error.code).toBe('session_not_found')
  })
})

describe('correct, keep and discard refuse', () => {
  test("another user's session", async ({ app, focusOf, focus }) => {
    const id = await focus.worked('06-15T08:00:00', '06-15T09:00:00')
    const stranger = await makeUser(app)
    await focus.expectNone(id, stranger)
    expect((await focusOf(stranger).discard(id)).status).toBe(404)
    expect((await app.call(readSessions, {}, stranger)).body.sessions).toEqual([])
    expect(await focusOf(mara).minutesPerDate()).toEqual({ '06-15': 60 })
  })

  test('an open session', async ({ app, clock, focusOf, focus }) => {
    const { id } = (await focusOf(mara).start()).body.session
    clock.set(at('06-15T09:00:00'))
    await focus.expectNone(id)
    expect((await focusOf(mara).discard(id)).status).toBe(404)
    expect((await app.call(readHome, { timeZone: BERLIN }, mara)).body.openSession?.id).toBe(id)
  })

  test('a discarded session', async ({ focusOf, focus }) => {
    const id = await focus.worked('06-15T08:00:00', '06-15T09:00:00')
    await focusOf(mara).discard(id)
    await focus.expectNone(id)
    expect(await focusOf(mara).minutesPerDate()).toEqual({})
  })

  test('a session that ended exactly 7 days ago, but not one that ended a second later', async ({
    clock,
    focusOf,
    focus,
  }) => {
    const old = await focus.worked('06-15T08:00:00', '06-15T09:00:00')
    const young = await focus.worked('06-15T09:00:00', '06-15T09:00:01')
    clock.set(at('06-22T09:00:00'))
    await focus.expectNone(old)
    expect((await focusOf(mara).discard(old)).status).toBe(404)
    expect((await focusOf(mara).listed()).map((session) => session.id)).toEqual([young])
    expect((await focusOf(mara).discard(young)).status).toBe(200)
  })

  test('an unknown id', async ({ focusOf, focus }) => {
    await focus.expectNone(uuidv7())
    expect((await focusOf(mara).discard(uuidv7())).status).toBe(404)
  })
})
