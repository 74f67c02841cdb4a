// Runs in npm run test:all.
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { correctSession, discardSession, keepSession } from '@deeb/core/sessions/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import { ZONES } from '@deeb/core/testing/local-dates'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { statement } from '../db/db.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { makeUser } from '../testing/make.ts'
import { makeTraveller } from '../testing/make-traveller.ts'
import { runs } from '../testing/runs.ts'
import { test } from '../testing/test.ts'
import { correctSums, correctTotals, findWrongSums, findWrongTotals } from './check-totals.ts'
import { closeForgottenSessions } from './close-forgotten.ts'

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

test('property: totals equal the sum of the sessions, and at most one session is open, after any steps', async ({
  app,
  clock,
}) => {
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
        clock.set(new Date(Date.UTC(2026, 8, 1 + day)).toISOString())
        const user = await makeTraveller(app)
        const ids: string[] = []
        for (const { does, timeZone, thenMinutes, back, startBy, endBy } of steps) {
          const known = does === 'stop by an older id' ? ids[0] : ids.at(-1)
          if (does === 'start') ids.push(uuidv7())
          const sessionId = does === 'start' ? (ids.at(-1) ?? '') : (known ?? uuidv7())
          if (does.startsWith('start')) await app.call(startFocus, { sessionId, timeZone }, user)
          if (does.startsWith('stop')) await app.call(stopFocus, { sessionId }, user)
          if (does === 'close forgotten') await closeForgottenSessions(app.db, clock.now())
          if (does === 'correct' || does === 'discard' || does === 'keep') {
            const { sessions } = (await app.call(readSessions, {}, user)).body
            const earlier = sessions[back % Math.max(1, sessions.length)] ?? {
              id: uuidv7(),
              startedAt: null,
              endedAt: null,
            }
            const moved = { startedAt: movedBy(earlier.startedAt, startBy), endedAt: movedBy(earlier.endedAt, endBy) }
            if (does === 'discard') await app.call(discardSession, { sessionId: earlier.id }, user)
            if (does === 'keep') await app.call(keepSession, { sessionId: earlier.id }, user)
            if (does === 'correct') {
              const answer = await app.call(correctSession, { sessionId: earlier.id, ...moved }, user)
              if (answer.status === 200) corrected++
            }
          }
          clock.advance({ minutes: thenMinutes, seconds: 7 })
        }
        await expectConsistent(app, user)
        expect(await app.db.query(ofOpen)).toEqual([{ most: expect.toSatisfy((most: number) => most <= 1) }])
      },
    ),
    runs(60, 1_500),
  )
  // Refused corrections prove nothing.
  expect(corrected).toBeGreaterThan(3)
})

test('finds and corrects a wrong daily total', async ({ app, clock }) => {
  clock.set('2026-06-15T21:30:00Z')
  const user = await makeUser(app)
  const sessionId = uuidv7()
  await app.call(startFocus, { sessionId, timeZone: 'Europe/Berlin' }, user)
  clock.advance({ hours: 1 })
  await app.call(stopFocus, { sessionId }, user)
  const tamper = statement(
    'test.tamper',
    "update daily_stats set total_seconds = total_seconds + 60 where user_id = :userId and date = '2026-06-16'",
  )
  await app.db.query(tamper, { userId: user.userId })
  const stray = statement(
    'test.stray',
    "insert into daily_stats (user_id, date, total_seconds) values (:userId, '2026-01-01', 5)",
  )
  await app.db.query(stray, { userId: user.userId })

  const wrong = await findWrongTotals(app.db)
  expect(wrong).toEqual(
    expect.arrayContaining([
      { userId: user.userId, date: '2026-06-16', savedSeconds: 1860, sessionSeconds: 1800 },
      { userId: user.userId, date: '2026-01-01', savedSeconds: 5, sessionSeconds: 0 },
    ]),
  )
  expect(wrong).toHaveLength(2)
  expect(await correctTotals(app.db, [user.userId])).toEqual(expect.arrayContaining(wrong))
  expect(await findWrongTotals(app.db)).toEqual([])
})

describe('finds and corrects wrong sums', () => {
  test.for([
    ['too much time', 'update focus_totals set total_minutes = total_minutes + 1 where user_id = :userId'],
    ['one week too many', 'update focus_totals set active_weeks = active_weeks + 1 where user_id = :userId'],
    ['a missing row of sums', 'delete from focus_totals where user_id = :userId'],
    ['sums without any daily totals', 'delete from daily_stats where user_id = :userId'],
  ] as const)('%s', async ([name, tamper], { app, clock, people }) => {
    clock.set('2026-06-15T09:00:00Z')
    const [user, other] = await people(2)
    for (const person of [user, other]) {
      const sessionId = uuidv7()
      await app.call(startFocus, { sessionId, timeZone: 'Europe/Berlin' }, person)
      clock.advance({ minutes: 30 })
      await app.call(stopFocus, { sessionId }, person)
    }
    await expectConsistent(app, user)
    await app.db.query(statement(`test.tamper ${name}`, tamper), { userId: user.userId })
    expect(await findWrongSums(app.db)).toContain(user.userId)
    await correctTotals(app.db, [user.userId])
    await correctSums(app.db, await findWrongSums(app.db))
    await expectConsistent(app, user)
  })

  test('sums of a user without sessions', async ({ app }) => {
    const user = await makeUser(app)
    const stray = 'insert into focus_totals (user_id, total_minutes, active_weeks) values (:userId, 60, 1)'
    await app.db.query(statement('test.stray-sums', stray), { userId: user.userId })
    expect(await findWrongSums(app.db)).toContain(user.userId)
    await correctSums(app.db, [user.userId])
    await expectConsistent(app, user)
  })
})
