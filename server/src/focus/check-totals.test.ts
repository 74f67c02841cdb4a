import { startFocus, stopFocus } from '@deeb/core/focus/api'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { correctTotals, findWrongTotals } from './check-totals.ts'
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

/** What a device does, and how many minutes later the next thing happens. */
const step = fc.record({
  does: fc.constantFrom('start', 'stop', 'stop by an older id', 'start again', 'sweep'),
  timeZone: fc.constantFrom(...ZONES),
  thenMinutes: fc.integer({ min: 0, max: 20 * 60 }),
})

test('whatever devices do, totals are what the sessions add up to, and one session is open at the most', async () => {
  const ofOpen = statement(
    'test.most-open',
    'select coalesce(max(n), 0)::int as most from (select count(*) as n from deeb_sessions where is_active group by user_id) as open',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.integer({ min: 0, max: 80 }), async (steps, day) => {
      testApp.clock.set(new Date(Date.UTC(2026, 8, 1 + day)).toISOString())
      const user = await makeUser(testApp)
      const ids: string[] = []
      for (const { does, timeZone, thenMinutes } of steps) {
        const known = does === 'stop by an older id' ? ids[0] : ids.at(-1)
        if (does === 'start') ids.push(uuidv7())
        const sessionId = does === 'start' ? (ids.at(-1) ?? '') : (known ?? uuidv7())
        if (does.startsWith('start')) await testApp.call(startFocus, { sessionId, timeZone }, user)
        if (does.startsWith('stop')) await testApp.call(stopFocus, { sessionId }, user)
        if (does === 'sweep') await closeForgottenSessions(testApp.db, testApp.clock.now())
        testApp.clock.advance({ minutes: thenMinutes, seconds: 7 })
      }
      expect(await findWrongTotals(testApp.db)).toEqual([])
      expect(await testApp.db.query(ofOpen)).toEqual([{ most: expect.toSatisfy((most: number) => most <= 1) }])
    }),
    { numRuns: 40 },
  )
})

test('a total that was tampered with is found and put right', async () => {
  testApp.clock.set('2026-06-15T21:30:00Z')
  const user = await makeUser(testApp)
  const sessionId = uuidv7()
  await testApp.call(startFocus, { sessionId, timeZone: 'Europe/Berlin' }, user)
  testApp.clock.advance({ hours: 1 })
  await testApp.call(stopFocus, { sessionId }, user)
  const tamper = statement(
    'test.tamper',
    "update daily_stats set total_seconds = total_seconds + 60 where user_id = $1 and date = '2026-06-16'",
  )
  await testApp.db.query(tamper, [user.userId])
  const stray = statement(
    'test.stray',
    "insert into daily_stats (user_id, date, total_seconds) values ($1, '2026-01-01', 5)",
  )
  await testApp.db.query(stray, [user.userId])

  const wrong = await findWrongTotals(testApp.db)
  expect(wrong).toEqual(
    expect.arrayContaining([
      { userId: user.userId, date: '2026-06-16', savedSeconds: 1860, sessionSeconds: 1800 },
      { userId: user.userId, date: '2026-01-01', savedSeconds: 5, sessionSeconds: 0 },
    ]),
  )
  expect(wrong).toHaveLength(2)
  await correctTotals(testApp.db, wrong)
  expect(await findWrongTotals(testApp.db)).toEqual([])
})
