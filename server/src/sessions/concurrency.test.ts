import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { addSession, correctSession, discardSession, readSessions, restoreSession } from '@deeb/core/sessions/api'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectConsistent } from '../testing/invariants.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { runs } from '../testing/runs.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

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

const start = (sessionId = uuidv7(), timeZone = 'Europe/Berlin') =>
  testApp.call(startFocus, { sessionId, timeZone }, mara)
const stop = (sessionId: string) => testApp.call(stopFocus, { sessionId }, mara)
const discard = (sessionId: string) => testApp.call(discardSession, { sessionId }, mara)
const correct = (sessionId: string, times: { startedAt?: string; endedAt?: string }, user = mara) =>
  testApp.call(correctSession, { sessionId, ...times }, user)
const listed = async () => (await testApp.call(readSessions, {}, mara)).body.sessions

/** Times of 15 June 2026 in UTC. */
const at = (time: string) => `2026-06-15T${time}:00.000Z`
const setClock = (time: string) => testApp.clock.set(at(time))

async function worked(from: string, to: string): Promise<string> {
  setClock(from)
  const { id } = (await start()).body.session
  setClock(to)
  await stop(id)
  return id
}

describe('concurrent devices', () => {
  /** A change of one of three half-hour sessions (06:00, 08:00, 10:00). Times are in quarters of an hour since 05:00. */
  const change = fc.record({
    does: fc.constantFrom('correct', 'correct', 'correct', 'discard', 'restore', 'add', 'start', 'stop'),
    which: fc.integer({ min: 0, max: 2 }),
    quarter: fc.integer({ min: 0, max: 23 }),
    quarters: fc.integer({ min: 1, max: 6 }),
  })
  type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

  const quarterAt = (quarter: number) => new Date(Date.parse(at('05:00')) + quarter * 15 * 60_000).toISOString()

  test('property: corrections, additions, deletions, their undo, starts and stops leave no overlap, and totals match the sessions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
        async (rounds) => {
          setClock('05:00')
          mara = await makeUser(testApp)
          const ids = [await worked('06:00', '06:30'), await worked('08:00', '08:30'), await worked('10:00', '10:30')]
          setClock('11:00')
          let last = uuidv7()
          const act = ({ does, which, quarter, quarters }: Change) => {
            const id = ids[which] ?? ''
            if (does === 'discard') return discard(id)
            if (does === 'stop') return stop(last)
            const endedAt = quarterAt(quarter + quarters)
            if (does === 'restore') return testApp.call(restoreSession, { sessionId: id, endedAt }, mara)
            if (does === 'add') {
              const input = { sessionId: uuidv7(), startedAt: quarterAt(quarter), endedAt, timeZone: 'Europe/Berlin' }
              return testApp.call(addSession, input, mara)
            }
            if (does === 'correct') {
              return correct(id, { startedAt: quarterAt(quarter), endedAt })
            }
            last = uuidv7()
            return start(last)
          }
          for (const round of rounds) {
            const answers = await Promise.all(round.map(act))
            for (const { status, error } of answers) expect(status, JSON.stringify(error)).toBeLessThan(500)
            testApp.clock.advance({ minutes: 20 })
          }
          await expectConsistent(testApp, mara)
        },
      ),
      runs(60, 1_500),
    )
  })

  test('only one of two overlapping corrections succeeds', async () => {
    for (let round = 0; round < 10; round++) {
      setClock('05:00')
      mara = await makeUser(testApp)
      const [first, second] = [await worked('06:00', '06:30'), await worked('08:00', '08:30')]
      setClock('09:00')
      const answers = await Promise.all([
        correct(first, { startedAt: at('07:00'), endedAt: at('07:40') }),
        correct(second, { startedAt: at('07:20'), endedAt: at('07:50') }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      await expectConsistent(testApp, mara)
    }
  })

  test('corrections that swap two sessions are both refused, without a deadlock', async () => {
    for (let round = 0; round < 8; round++) {
      setClock('05:00')
      const people = await Promise.all(Array.from({ length: 8 }, () => makeUser(testApp)))
      const pairs: { person: MadeUser; first: string; second: string }[] = []
      for (const person of people) {
        mara = person
        pairs.push({ person, first: await worked('06:00', '06:30'), second: await worked('08:00', '08:30') })
      }
      setClock('09:00')
      const answers = pairs.flatMap(({ person, first, second }) => [
        correct(first, { startedAt: at('08:00'), endedAt: at('08:30') }, person),
        correct(second, { startedAt: at('06:00'), endedAt: at('06:30') }, person),
      ])
      expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([409]))
    }
  })

  test('a correction into a session that is being stopped is refused', async () => {
    for (let round = 0; round < 10; round++) {
      setClock('05:00')
      mara = await makeUser(testApp)
      const earlier = await worked('06:00', '07:00')
      setClock('08:00')
      const open = (await start()).body.session.id
      setClock('09:00')
      const [stopped, corrected] = await Promise.all([stop(open), correct(earlier, { endedAt: at('08:30') })])
      expect([stopped.status, corrected.status]).toEqual([200, 409])
      await expectConsistent(testApp, mara)
    }
  })

  test('a correction and a start at the same time do not overlap, whichever is first', async () => {
    for (let round = 0; round < 10; round++) {
      setClock('05:00')
      mara = await makeUser(testApp)
      const earlier = await worked('06:00', '07:00')
      // The start is of 08:00, the correction of 08:10; both run concurrently.
      setClock('08:00')
      const starting = start()
      setClock('08:10')
      const [started, corrected] = await Promise.all([starting, correct(earlier, { endedAt: at('08:05') })])
      expect(started.status).toBe(200)
      expect([
        [200, at('08:05')],
        [200, at('08:10')],
        [409, at('08:00')],
        [409, at('08:10')],
      ]).toContainEqual([corrected.status, started.body.session.startedAt])
      await expectConsistent(testApp, mara)
    }
  })
})

describe('after the server clock was set back', () => {
  test.each([
    ['before', '05:30'],
    ['into', '06:30'],
    ['between', '07:30'],
    ['to the start of', '06:00'],
    ['to the end of', '07:00'],
    ['into the last of', '08:30'],
  ])('%s earlier sessions, a start opens after the last one', async (_, time) => {
    await worked('06:00', '07:00')
    await worked('08:00', '09:00')
    setClock(time)
    const started = await start()
    expect([started.status, started.body.session?.startedAt]).toEqual([200, at('09:00')])
    // An immediate stop leaves an empty session, not a negative one, and the next start works.
    expect((await stop(started.body.session.id)).body.session.endedAt).toBe(at('09:00'))
    expect((await start()).status).toBe(200)
    setClock('10:00')
    const { openSession, today } = (await testApp.call(readHome, { timeZone: 'Europe/Berlin' }, mara)).body
    await stop(openSession?.id ?? '')
    expect(today.savedSeconds).toBe(7200)
    expect((await listed()).map((session) => session.endedAt)).toContain(at('10:00'))
    await expectConsistent(testApp, mara)
  })
})
