// Runs in npm run test:all.
import { readHome } from '@deeb/core/home/api'
import { addSession, correctSession, restoreSession } from '@deeb/core/sessions/api'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { expectConsistent } from '../testing/invariants.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { runs } from '../testing/runs.ts'
import { test as base } from '../testing/test.ts'

const test = base.extend('focus', ({ app, clock, focusOf }) => {
  const correct = (sessionId: string, times: { startedAt?: string; endedAt?: string }, user = mara) =>
    app.call(correctSession, { sessionId, ...times }, user)
  const setClock = (time: string) => clock.set(at(time))
  async function worked(from: string, to: string): Promise<string> {
    setClock(from)
    const { id } = (await focusOf(mara).start()).body.session
    setClock(to)
    await focusOf(mara).stop(id)
    return id
  }
  return { correct, setClock, worked }
})

let mara: MadeUser
test.beforeEach(async ({ app, clock }) => {
  clock.set('2026-06-15T06:00:00Z')
  mara = await makeUser(app)
})

/** Times of 15 June 2026 in UTC. */
const at = (time: string) => `2026-06-15T${time}:00.000Z`

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

  test('property: corrections, additions, deletions, their undo, starts and stops leave no overlap, and totals match the sessions', async ({
    app,
    clock,
    focusOf,
    focus,
  }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
        async (rounds) => {
          focus.setClock('05:00')
          mara = await makeUser(app)
          const ids = [
            await focus.worked('06:00', '06:30'),
            await focus.worked('08:00', '08:30'),
            await focus.worked('10:00', '10:30'),
          ]
          focus.setClock('11:00')
          let last = uuidv7()
          const act = ({ does, which, quarter, quarters }: Change) => {
            const id = ids[which] ?? ''
            if (does === 'discard') return focusOf(mara).discard(id)
            if (does === 'stop') return focusOf(mara).stop(last)
            const endedAt = quarterAt(quarter + quarters)
            if (does === 'restore') return app.call(restoreSession, { sessionId: id, endedAt }, mara)
            if (does === 'add') {
              const input = { sessionId: uuidv7(), startedAt: quarterAt(quarter), endedAt, timeZone: 'Europe/Berlin' }
              return app.call(addSession, input, mara)
            }
            if (does === 'correct') {
              return focus.correct(id, { startedAt: quarterAt(quarter), endedAt })
            }
            last = uuidv7()
            return focusOf(mara).start(last)
          }
          for (const round of rounds) {
            const answers = await Promise.all(round.map(act))
            for (const { status, error } of answers) expect(status, JSON.stringify(error)).toBeLessThan(500)
            clock.advance({ minutes: 20 })
          }
          await expectConsistent(app, mara)
        },
      ),
      runs(60, 1_500),
    )
  })

  test('only one of two overlapping corrections succeeds', async ({ app, focus }) => {
    for (let round = 0; round < 10; round++) {
      focus.setClock('05:00')
      mara = await makeUser(app)
      const [first, second] = [await focus.worked('06:00', '06:30'), await focus.worked('08:00', '08:30')]
      focus.setClock('09:00')
      const answers = await Promise.all([
        focus.correct(first, { startedAt: at('07:00'), endedAt: at('07:40') }),
        focus.correct(second, { startedAt: at('07:20'), endedAt: at('07:50') }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      await expectConsistent(app, mara)
    }
  })

  test('corrections that swap two sessions are both refused, without a deadlock', async ({ app, focus }) => {
    for (let round = 0; round < 8; round++) {
      focus.setClock('05:00')
      const people = await Promise.all(Array.from({ length: 8 }, () => makeUser(app)))
      const pairs: { person: MadeUser; first: string; second: string }[] = []
      for (const person of people) {
        mara = person
        pairs.push({
          person,
          first: await focus.worked('06:00', '06:30'),
          second: await focus.worked('08:00', '08:30'),
        })
      }
      focus.setClock('09:00')
      const answers = pairs.flatMap(({ person, first, second }) => [
        focus.correct(first, { startedAt: at('08:00'), endedAt: at('08:30') }, person),
        focus.correct(second, { startedAt: at('06:00'), endedAt: at('06:30') }, person),
      ])
      expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([409]))
    }
  })

  test('a correction into a session that is being stopped is refused', async ({ app, focusOf, focus }) => {
    for (let round = 0; round < 10; round++) {
      focus.setClock('05:00')
      mara = await makeUser(app)
      const earlier = await focus.worked('06:00', '07:00')
      focus.setClock('08:00')
      const open = (await focusOf(mara).start()).body.session.id
      focus.setClock('09:00')
      const [stopped, corrected] = await Promise.all([
        focusOf(mara).stop(open),
        focus.correct(earlier, { endedAt: at('08:30') }),
      ])
      expect([stopped.status, corrected.status]).toEqual([200, 409])
      await expectConsistent(app, mara)
    }
  })

  test('a correction and a start at the same time do not overlap, whichever is first', async ({
    app,
    focusOf,
    focus,
  }) => {
    for (let round = 0; round < 10; round++) {
      focus.setClock('05:00')
      mara = await makeUser(app)
      const earlier = await focus.worked('06:00', '07:00')
      // The start is of 08:00, the correction of 08:10; both run concurrently.
      focus.setClock('08:00')
      const starting = focusOf(mara).start()
      focus.setClock('08:10')
      const [started, corrected] = await Promise.all([starting, focus.correct(earlier, { endedAt: at('08:05') })])
      expect(started.status).toBe(200)
      expect([
        [200, at('08:05')],
        [200, at('08:10')],
        [409, at('08:00')],
        [409, at('08:10')],
      ]).toContainEqual([corrected.status, started.body.session.startedAt])
      await expectConsistent(app, mara)
    }
  })
})

describe('after the server clock was set back', () => {
  test.for([
    ['before', '05:30'],
    ['into', '06:30'],
    ['between', '07:30'],
    ['to the start of', '06:00'],
    ['to the end of', '07:00'],
    ['into the last of', '08:30'],
  ] as const)('%s earlier sessions, a start opens after the last one', async ([_, time], { app, focusOf, focus }) => {
    await focus.worked('06:00', '07:00')
    await focus.worked('08:00', '09:00')
    focus.setClock(time)
    const started = await focusOf(mara).start()
    expect([started.status, started.body.session?.startedAt]).toEqual([200, at('09:00')])
    // An immediate stop leaves an empty session, not a negative one, and the next start works.
    expect((await focusOf(mara).stop(started.body.session.id)).body.session.endedAt).toBe(at('09:00'))
    expect((await focusOf(mara).start()).status).toBe(200)
    focus.setClock('10:00')
    const { openSession, today } = (await app.call(readHome, { timeZone: 'Europe/Berlin' }, mara)).body
    await focusOf(mara).stop(openSession?.id ?? '')
    expect(today.savedSeconds).toBe(7200)
    expect((await focusOf(mara).listed()).map((session) => session.endedAt)).toContain(at('10:00'))
    await expectConsistent(app, mara)
  })
})
