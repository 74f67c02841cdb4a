import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { correctSession, discardSession, keepSession, readSessions } from '@deeb/core/sessions/api'
import { readWeek } from '@deeb/core/stats/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { cleanUp } from '../retention/clean-up.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

const BERLIN = 'Europe/Berlin'

let testApp: TestApp
let mara: MadeUser
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.clock.set('2026-06-15T06:00:00Z')
  mara = await makeUser(testApp)
})
afterEach(() => expectConsistent(testApp, mara))

const start = (sessionId = uuidv7(), timeZone = BERLIN) => testApp.call(startFocus, { sessionId, timeZone }, mara)
const stop = (sessionId: string) => testApp.call(stopFocus, { sessionId }, mara)
const keep = (sessionId: string, user = mara) => testApp.call(keepSession, { sessionId }, user)
const discard = (sessionId: string, user = mara) => testApp.call(discardSession, { sessionId }, user)
const listed = async () => (await testApp.call(readSessions, {}, mara)).body.sessions

/** Times of 2026, as `06-15T08:00:00`, in UTC. */
const at = (time: string) => `2026-${time}.000Z`
const correct = (sessionId: string, times: { startedAt?: string; endedAt?: string }, user = mara) => {
  const input = Object.fromEntries(Object.entries(times).map(([name, time]) => [name, at(time)]))
  return testApp.call(correctSession, { sessionId, ...input }, user)
}

/** Runs a session between two times and leaves the clock at its end. Returns its id. */
async function worked(from: string, to: string, timeZone = BERLIN): Promise<string> {
  testApp.clock.set(at(from))
  const { id } = (await start(uuidv7(), timeZone)).body.session
  testApp.clock.set(at(to))
  await stop(id)
  return id
}

/** Minutes by local date, without empty dates. */
async function minutesPerDate(): Promise<Record<string, number>> {
  const stats = statement(
    'test.minutes-per-date',
    'select date, total_minutes as minutes from daily_stats where user_id = :userId and total_minutes > 0',
  )
  const rows = await testApp.db.query<{ date: string; minutes: number }>(stats, { userId: mara.userId })
  return Object.fromEntries(rows.map(({ date, minutes }) => [date.slice(5), minutes]))
}

describe('correcting a session', () => {
  test('moves its start, its end or both, and updates day and week immediately', async () => {
    const id = await worked('06-15T08:00:00', '06-15T09:00:00')
    const savedMinutes = async () => {
      const { today } = (await testApp.call(readHome, { timeZone: BERLIN }, mara)).body
      const { week } = (await testApp.call(readWeek, { timeZone: BERLIN }, mara)).body
      expect(week[0]).toMatchObject(today)
      return today.savedSeconds / 60
    }
    const { body } = await correct(id, { endedAt: '06-15T08:30:00' })
    expect(body.session).toEqual({ id, startedAt: at('06-15T08:00:00'), endedAt: at('06-15T08:30:00') })
    expect(await savedMinutes()).toBe(30)
    await correct(id, { startedAt: '06-15T07:45:00' })
    expect(await savedMinutes()).toBe(45)
    await correct(id, { startedAt: '06-15T07:00:00', endedAt: '06-15T08:50:00' })
    expect(await savedMinutes()).toBe(110)
    expect(await listed()).toEqual([{ id, startedAt: at('06-15T07:00:00'), endedAt: at('06-15T08:50:00') }])
  })

  test('does not change the open session or presence', async () => {
    const id = await worked('06-15T08:00:00', '06-15T09:00:00')
    const { session } = (await start()).body
    await correct(id, { endedAt: '06-15T08:30:00' })
    await discard(id)
    expect((await testApp.call(readHome, { timeZone: BERLIN }, mara)).body.openSession).toEqual(session)
  })

  test('splits it at midnight again', async () => {
    // 23:00 to 23:30, then until 00:30, then from 00:10.
    const id = await worked('06-15T21:00:00', '06-15T21:30:00')
    testApp.clock.set(at('06-16T09:00:00'))
    await correct(id, { endedAt: '06-15T22:30:00' })
    expect(await minutesPerDate()).toEqual({ '06-15': 60, '06-16': 30 })
    await correct(id, { startedAt: '06-15T22:10:00' })
    expect(await minutesPerDate()).toEqual({ '06-16': 20 })
    await correct(id, { startedAt: '06-15T20:00:00', endedAt: '06-15T22:00:00' })
    expect(await minutesPerDate()).toEqual({ '06-15': 120 })
  })

  test('counts real time in both nights of clock changes', async () => {
    // 23:00 to 04:00 on the clock: 1 + 3 hours in March, 1 + 5 hours in October.
    testApp.clock.set(at('03-28T12:00:00'))
    mara = await makeUser(testApp)
    const spring = await worked('03-28T22:00:00', '03-28T22:10:00')
    testApp.clock.set(at('03-29T12:00:00'))
    await correct(spring, { endedAt: '03-29T02:00:00' })
    expect(await minutesPerDate()).toEqual({ '03-28': 60, '03-29': 180 })

    testApp.clock.set(at('10-24T12:00:00'))
    mara = await makeUser(testApp)
    const autumn = await worked('10-24T21:00:00', '10-24T21:10:00')
    testApp.clock.set(at('10-25T12:00:00'))
    await correct(autumn, { endedAt: '10-25T03:00:00' })
    expect(await minutesPerDate()).toEqual({ '10-24': 60, '10-25': 300 })
  })

  test('splits it in the time zone of its start', async () => {
    // Kathmandu, UTC+5:45: midnight is 18:15 UTC.
    const id = await worked('06-15T17:15:00', '06-15T17:45:00', 'Asia/Kathmandu')
    testApp.clock.set(at('06-15T20:00:00'))
    await correct(id, { endedAt: '06-15T18:45:00' })
    expect(await minutesPerDate()).toEqual({ '06-15': 60, '06-16': 30 })
  })

  test.each([
    ['an end before the start', { endedAt: '06-15T07:59:59' }, 'endedAt'],
    ['no length', { endedAt: '06-15T08:00:00' }, 'endedAt'],
    ['a start after the end', { startedAt: '06-15T09:00:01' }, 'endedAt'],
    ['an end in the future', { endedAt: '06-15T09:00:01' }, 'endedAt'],
    ['more than 16 hours', { startedAt: '06-14T16:59:59' }, 'endedAt'],
    ['a start more than 7 days ago', { startedAt: '06-08T08:59:59', endedAt: '06-08T10:00:00' }, 'startedAt'],
  ])('rejects %s and changes nothing', async (_, times, field) => {
    const id = await worked('06-15T08:00:00', '06-15T09:00:00')
    const before = await listed()
    const answer = await correct(id, times)
    expect([answer.status, answer.error.code, answer.error.fields?.[0]?.path]).toEqual([400, 'invalid_input', field])
    expect(await listed()).toEqual(before)
  })

  test('accepts the limits: 16 hours, and 7 days ago', async () => {
    const id = await worked('06-15T08:00:00', '06-15T09:00:00')
    expect((await correct(id, { startedAt: '06-14T17:00:00' })).status).toBe(200)
    expect((await correct(id, { startedAt: '06-08T09:00:00', endedAt: '06-08T10:00:00' })).status).toBe(200)
  })

  test('rejects an overlapping correction, accepts an adjacent one', async () => {
    const first = await worked('06-15T07:00:00', '06-15T08:00:00')
    const id = await worked('06-15T09:00:00', '06-15T10:00:00')
    testApp.clock.set(at('06-15T11:00:00'))
    await start()
    testApp.clock.set(at('06-15T12:00:00'))
    const onto = [{ startedAt: '06-15T07:59:59' }, { endedAt: '06-15T11:00:01' }, { startedAt: '06-15T06:00:00' }]
    for (const times of onto) {
      const answer = await correct(id, times)
      expect([answer.status, answer.error.code]).toEqual([409, 'session_overlaps'])
    }
    expect(await minutesPerDate()).toEqual({ '06-15': 120 })
    expect((await correct(id, { startedAt: '06-15T08:00:00', endedAt: '06-15T11:00:00' })).status).toBe(200)
    // The time of a discarded session is free.
    await discard(first)
    expect((await correct(id, { startedAt: '06-15T06:30:00' })).status).toBe(200)
    expect(await minutesPerDate()).toEqual({ '06-15': 270 })
  })

  test('is idempotent, also when concurrent', async () => {
    const id = await worked('06-15T08:00:00', '06-15T09:00:00')
    const again = () => correct(id, { endedAt: '06-15T08:30:00' })
    const answers = [await again(), await again(), ...(await Promise.all([again(), again()]))]
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
    expect(await minutesPerDate()).toEqual({ '06-15': 30 })
  })
})

describe('discarding a session', () => {
  test('subtracts its time from both dates once, also when repeated or concurrent', async () => {
    const id = await worked('06-15T21:30:00', '06-15T22:30:00')
    await worked('06-15T22:40:00', '06-15T22:50:00')
    const answers = [...(await Promise.all([discard(id), discard(id), discard(id)])), await discard(id)]
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
    expect(await minutesPerDate()).toEqual({ '06-16': 10 })
    expect(await listed()).toHaveLength(1)
  })

  test('removes a week without other sessions from the average', async () => {
    const id = await worked('06-15T21:30:00', '06-15T22:30:00')
    await discard(id)
    testApp.clock.set(at('06-24T09:00:00'))
    expect((await testApp.call(readWeek, { timeZone: BERLIN }, mara)).body.averageWeekMinutes).toBeNull()
  })

  test('subtracts exactly what was counted when time-zone rules have changed since', async () => {
    testApp.clock.set(at('06-15T21:30:00'))
    const id = uuidv7()
    await start(id)
    const older = `update deeb_sessions set next_date_starts_at = next_date_starts_at + interval '1 hour' where id = :id`
    await testApp.db.query(statement('test.older-tables', older), { id })
    testApp.clock.advance({ minutes: 60 })
    await stop(id)
    expect(await minutesPerDate()).toEqual({ '06-15': 60 })
    await discard(id)
    expect(await minutesPerDate()).toEqual({})
  })

  test('is permanent: a late repeat of its start or stop does not restore it', async () => {
    testApp.clock.set(at('06-15T08:00:00'))
    const [id, alias] = [uuidv7(), uuidv7()]
    await start(id)
    await start(alias)
    testApp.clock.advance({ minutes: 30 })
    await stop(id)
    await discard(id)
    testApp.clock.advance({ minutes: 30 })
    for (const repeat of [start(id), stop(id), start(alias), stop(alias)]) {
      const { status, body } = await repeat
      expect([status, body.session]).toEqual([200, expect.objectContaining({ id, endedAt: at('06-15T08:00:00') })])
    }
    expect((await testApp.call(readHome, { timeZone: BERLIN }, mara)).body.openSession).toBeNull()
    expect(await listed()).toEqual([])
    expect(await minutesPerDate()).toEqual({})
  })

  test('leaves a tombstone that is purged after 8 days', async () => {
    const id = await worked('06-15T08:00:00', '06-15T09:00:00')
    await discard(id)
    await cleanUp(testApp.db, new Date('2026-06-16T09:00:00Z'))
    expect((await discard(id)).status).toBe(200)
    await cleanUp(testApp.db, new Date('2026-06-23T09:00:00Z'))
    expect((await discard(id)).status).toBe(200)
    await cleanUp(testApp.db, new Date('2026-06-23T09:00:01Z'))
    expect((await discard(id)).error.code).toBe('session_not_found')
  })
})

describe('correct, keep and discard refuse', () => {
  const expectNone = async (id: string, user = mara) => {
    for (const answer of [await correct(id, { endedAt: '06-15T08:30:00' }, user), await keep(id, user)]) {
      expect([answer.status, answer.error.code]).toEqual([404, 'session_not_found'])
    }
    expect((await listed()).map((session) => session.id)).not.toContain(user === mara ? id : null)
  }

  test("another user's session", async () => {
    const id = await worked('06-15T08:00:00', '06-15T09:00:00')
    const stranger = await makeUser(testApp)
    await expectNone(id, stranger)
    expect((await discard(id, stranger)).status).toBe(404)
    expect((await testApp.call(readSessions, {}, stranger)).body.sessions).toEqual([])
    expect(await minutesPerDate()).toEqual({ '06-15': 60 })
  })

  test('an open session', async () => {
    const { id } = (await start()).body.session
    testApp.clock.set(at('06-15T09:00:00'))
    await expectNone(id)
    expect((await discard(id)).status).toBe(404)
    expect((await testApp.call(readHome, { timeZone: BERLIN }, mara)).body.openSession?.id).toBe(id)
  })

  test('a discarded session', async () => {
    const id = await worked('06-15T08:00:00', '06-15T09:00:00')
    await discard(id)
    await expectNone(id)
    expect(await minutesPerDate()).toEqual({})
  })

  test('a session that ended exactly 7 days ago, but not one that ended a second later', async () => {
    const old = await worked('06-15T08:00:00', '06-15T09:00:00')
    const young = await worked('06-15T09:00:00', '06-15T09:00:01')
    testApp.clock.set(at('06-22T09:00:00'))
    await expectNone(old)
    expect((await discard(old)).status).toBe(404)
    expect((await listed()).map((session) => session.id)).toEqual([young])
    expect((await discard(young)).status).toBe(200)
  })

  test('an unknown id', async () => {
    await expectNone(uuidv7())
    expect((await discard(uuidv7())).status).toBe(404)
  })
})
