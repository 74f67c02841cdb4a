import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { correctSession, discardSession, keepSession, readSessions } from '@deeb/core/sessions/api'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { makeUser } from '../testing/make.ts'
import { makeTraveller } from '../testing/make-traveller.ts'
import { runs } from '../testing/runs.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { correctSums, correctTotals, findWrongSums, findWrongTotals } from './check-totals.ts'
import { closeForgottenSessions } from './close-forgotten.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())

const ZONES = [
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Pacific/Apia',
  'America/Los_Angeles',
  'Europe/Berlin',
  'America/Havana',
]

/** One step of a device, and the minutes until the next one. */
const step = fc.record({
  does: fc.constantFrom(
    'start',
    'start',
    'stop',
    'stop',
    'stop by an older id',
    'start again',
    'close forgotten',
    'correct',
    'correct',
    'discard',
    'keep',
  ),
  timeZone: fc.constantFrom(...ZONES),
  thenMinutes: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 20 * 60 })),
  // For a correction or a discard: the session (0 is the newest) and by how many minutes its start and end move.
  back: fc.integer({ min: 0, max: 3 }),
  startBy: fc.option(fc.integer({ min: -180, max: 5 })),
  endBy: fc.option(fc.integer({ min: -5, max: 60 })),
})

function movedBy(instant: string | null, minutes: number | null): string | undefined {
  if (instant === null || minutes === null) return undefined
  return new Date(Date.parse(instant) + minutes * 60_000).toISOString()
}

test('property: totals equal the sum of the sessions, and at most one session is open, after any steps', async () => {
  const ofOpen = statement(
    'test.most-open',
    'select coalesce(max(n), 0)::int as most from (select count(*) as n from deeb_sessions where is_active group by user_id) as open',
  )
  let corrected = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25, size: 'max' }),
      fc.integer({ min: 0, max: 80 }),
      async (steps, day) => {
        testApp.clock.set(new Date(Date.UTC(2026, 8, 1 + day)).toISOString())
        const user = await makeTraveller(testApp)
        const ids: string[] = []
        for (const { does, timeZone, thenMinutes, back, startBy, endBy } of steps) {
          const known = does === 'stop by an older id' ? ids[0] : ids.at(-1)
          if (does === 'start') ids.push(uuidv7())
          const sessionId = does === 'start' ? (ids.at(-1) ?? '') : (known ?? uuidv7())
          if (does.startsWith('start')) await testApp.call(startFocus, { sessionId, timeZone }, user)
          if (does.startsWith('stop')) await testApp.call(stopFocus, { sessionId }, user)
          if (does === 'close forgotten') await closeForgottenSessions(testApp.db, testApp.clock.now())
          if (does === 'correct' || does === 'discard' || does === 'keep') {
            const { sessions } = (await testApp.call(readSessions, {}, user)).body
            const earlier = sessions[back % Math.max(1, sessions.length)] ?? {
              id: uuidv7(),
              startedAt: null,
              endedAt: null,
            }
            const moved = { startedAt: movedBy(earlier.startedAt, startBy), endedAt: movedBy(earlier.endedAt, endBy) }
            if (does === 'discard') await testApp.call(discardSession, { sessionId: earlier.id }, user)
            if (does === 'keep') await testApp.call(keepSession, { sessionId: earlier.id }, user)
            if (does === 'correct') {
              const answer = await testApp.call(correctSession, { sessionId: earlier.id, ...moved }, user)
              if (answer.status === 200) corrected++
            }
          }
          testApp.clock.advance({ minutes: thenMinutes, seconds: 7 })
        }
        await expectConsistent(testApp, user)
        expect(await testApp.db.query(ofOpen)).toEqual([{ most: expect.toSatisfy((most: number) => most <= 1) }])
      },
    ),
    runs(60, 1_500),
  )
  // Refused corrections prove nothing.
  expect(corrected).toBeGreaterThan(3)
})

test('finds and corrects a wrong daily total', async () => {
  testApp.clock.set('2026-06-15T21:30:00Z')
  const user = await makeUser(testApp)
  const sessionId = uuidv7()
  await testApp.call(startFocus, { sessionId, timeZone: 'Europe/Berlin' }, user)
  testApp.clock.advance({ hours: 1 })
  await testApp.call(stopFocus, { sessionId }, user)
  const tamper = statement(
    'test.tamper',
    "update daily_stats set total_seconds = total_seconds + 60 where user_id = :userId and date = '2026-06-16'",
  )
  await testApp.db.query(tamper, { userId: user.userId })
  const stray = statement(
    'test.stray',
    "insert into daily_stats (user_id, date, total_seconds) values (:userId, '2026-01-01', 5)",
  )
  await testApp.db.query(stray, { userId: user.userId })

  const wrong = await findWrongTotals(testApp.db)
  expect(wrong).toEqual(
    expect.arrayContaining([
      { userId: user.userId, date: '2026-06-16', savedSeconds: 1860, sessionSeconds: 1800 },
      { userId: user.userId, date: '2026-01-01', savedSeconds: 5, sessionSeconds: 0 },
    ]),
  )
  expect(wrong).toHaveLength(2)
  expect(await correctTotals(testApp.db, [user.userId])).toEqual(expect.arrayContaining(wrong))
  expect(await findWrongTotals(testApp.db)).toEqual([])
})

describe('finds and corrects wrong sums', () => {
  test.each([
    ['too much time', 'update focus_totals set total_minutes = total_minutes + 1 where user_id = :userId'],
    ['one week too many', 'update focus_totals set active_weeks = active_weeks + 1 where user_id = :userId'],
    ['a missing row of sums', 'delete from focus_totals where user_id = :userId'],
    ['sums without any daily totals', 'delete from daily_stats where user_id = :userId'],
  ])('%s', async (name, tamper) => {
    testApp.clock.set('2026-06-15T09:00:00Z')
    const [user, other] = [await makeUser(testApp), await makeUser(testApp)]
    for (const person of [user, other]) {
      const sessionId = uuidv7()
      await testApp.call(startFocus, { sessionId, timeZone: 'Europe/Berlin' }, person)
      testApp.clock.advance({ minutes: 30 })
      await testApp.call(stopFocus, { sessionId }, person)
    }
    await expectConsistent(testApp, user)
    await testApp.db.query(statement(`test.tamper ${name}`, tamper), { userId: user.userId })
    expect(await findWrongSums(testApp.db)).toContain(user.userId)
    await correctTotals(testApp.db, [user.userId])
    await correctSums(testApp.db, await findWrongSums(testApp.db))
    await expectConsistent(testApp, user)
  })

  test('sums of a user without sessions', async () => {
    const user = await makeUser(testApp)
    const stray = 'insert into focus_totals (user_id, total_minutes, active_weeks) values (:userId, 60, 1)'
    await testApp.db.query(statement('test.stray-sums', stray), { userId: user.userId })
    expect(await findWrongSums(testApp.db)).toContain(user.userId)
    await correctSums(testApp.db, [user.userId])
    await expectConsistent(testApp, user)
  })
})
