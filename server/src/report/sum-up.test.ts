import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, statement } from '../db/db.ts'
import { startFocus } from '../focus/start-focus.ts'
import { stopFocus } from '../focus/stop-focus.ts'
import { saveGoals } from '../goals/save-goals.ts'
import { discardSession } from '../sessions/discard-session.ts'
import { naiveSums, type RawPerson, STEP_MS } from '../testing/naive-report.ts'
import { makePeople, WEEK } from '../testing/report.ts'
import { runs } from '../testing/runs.ts'
import { openTestDatabase } from '../testing/test-database.ts'
import { setInReport } from './set-in-report.ts'
import { type Sums, sumUp } from './sum-up.ts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

/** Two days before the Monday, in UTC. */
const FROM_MS = Date.parse('2026-06-06T00:00:00Z')
const HOUR_STEPS = 3_600_000 / STEP_MS
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/Los_Angeles',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
]

/** Up to eight sessions one after the other, of up to 16 hours. */
const sessions = fc
  .array(
    fc.record({
      gap: fc.oneof(fc.integer({ min: 1, max: 30 * HOUR_STEPS }), fc.constant(1)),
      length: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 16 * HOUR_STEPS })),
      timeZone: fc.constantFrom(...ZONES),
    }),
    { maxLength: 8 },
  )
  .map((parts) => {
    let at = FROM_MS
    return parts.map(({ gap, length, timeZone }) => {
      const startedAt = new Date(at + gap * STEP_MS)
      const endedAt = new Date(startedAt.getTime() + length * STEP_MS)
      at = endedAt.getTime()
      return { startedAt, endedAt, timeZone }
    })
  })

const person: fc.Arbitrary<RawPerson> = fc.record({
  inReport: fc.boolean().chain((often) => (often ? fc.constant(true) : fc.boolean())),
  goals: fc.option(fc.array(fc.constantFrom(0, 15, 60, 300), { minLength: 7, maxLength: 7 })),
  sessions,
})

async function live(userId: string, { inReport, goals, sessions }: RawPerson): Promise<string[]> {
  const actor = { userId }
  const now = new Date(FROM_MS)
  if (!inReport) await setInReport(db, actor, { inReport })
  const daily = goals?.map((goalMinutes, dayOfWeek) => ({ dayOfWeek, goalMinutes }))
  if (daily) await saveGoals(db, actor, { goals: daily }, now)
  const ids: string[] = []
  for (const { startedAt, endedAt, timeZone } of sessions) {
    const sessionId = randomUUID()
    await startFocus(db, actor, { sessionId, timeZone }, startedAt)
    await stopFocus(db, actor, { sessionId }, endedAt)
    ids.push(sessionId)
  }
  return ids
}

async function companyOf(people: RawPerson[]) {
  const domain = `${randomUUID()}.example`
  const ids = await makePeople(db, domain, people.length)
  const sessionIds: string[][] = []
  for (const [n, one] of people.entries()) sessionIds.push(await live(ids[n] ?? '', one))
  return { domain, ids, sessionIds }
}

test('the sums of a week are those of a model that looks at each third of a minute', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(person, { minLength: 1, maxLength: 14 }), async (people) => {
      const { domain } = await companyOf(people)
      expect(await sumUp(db, domain, WEEK)).toEqual(naiveSums(people, WEEK))
    }),
    runs(12, 101),
  )
})

test('people beyond one batch are summed up too', async () => {
  const domain = `${randomUUID()}.example`
  const ids = await makePeople(db, domain, 230)
  const at = { startedAt: new Date('2026-06-08T10:00Z'), endedAt: new Date('2026-06-08T11:00Z'), timeZone: 'UTC' }
  const last = ids.toSorted().slice(-2)
  for (const id of last) await live(id, { inReport: true, goals: null, sessions: [at] })
  expect(await sumUp(db, domain, WEEK)).toEqual({
    ...{ members: 230, people: 2, minutes: 120, goals: 0 },
    ...{ times: [0, 0, 2000, 0, 0, 0, 0], days: [2000, 0, 0, 0, 0, 0] },
  })
})

const deletePerson = statement('test.delete-person', 'delete from auth.users where id = :userId')
const deactivate = statement('test.deactivate', 'update auth.users set deactivated_at = now() where id = :userId')

/** The changes of one person between two counts, and whether each only takes their week away. */
const CHANGES = {
  'opts out': { leaves: true, act: (userId) => setInReport(db, { userId }, { inReport: false }) },
  'is deleted': { leaves: true, act: (userId) => db.query(deletePerson, { userId }) },
  'is deactivated by the directory': { leaves: true, act: (userId) => db.query(deactivate, { userId }) },
  'deletes a session': {
    leaves: false,
    act: (userId, [sessionId]) =>
      sessionId ? discardSession(db, { userId }, { sessionId }, new Date(FROM_MS + 7 * 86_400_000)) : undefined,
  },
  'works all week': {
    leaves: false,
    act: (userId) =>
      live(userId, {
        ...{ inReport: true, goals: [60, 60, 60, 60, 60, 60, 60] },
        sessions: [7, 8, 9, 10, 11, 12].map((day) => ({
          startedAt: new Date(Date.UTC(2026, 6, day, 6)),
          endedAt: new Date(Date.UTC(2026, 6, day, 22)),
          timeZone: 'UTC',
        })),
      }),
  },
} satisfies Record<string, { leaves: boolean; act: (userId: string, sessionIds: string[]) => unknown }>

describe('threat 142: a change of one person moves the sums by no more than the noise hides', () => {
  test.each(Object.entries(CHANGES))('%s', async (what, { leaves, act }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(person, { minLength: 1, maxLength: 4 }), async (people) => {
        const { domain, ids, sessionIds } = await companyOf(people)
        const week = what === 'works all week' ? '2026-07-06' : WEEK
        const before = await sumUp(db, domain, week)
        await act(ids[0] ?? '', sessionIds[0] ?? [])
        const after = await sumUp(db, domain, week)
        expect(before.members - after.members).toBe(/deleted|deactivated/.test(what) ? 1 : 0)
        expect(Math.abs(after.people - before.people)).toBeLessThanOrEqual(1)
        expect(Math.abs(after.minutes - before.minutes)).toBeLessThanOrEqual(1800)
        expect(Math.abs(after.goals - before.goals)).toBeLessThanOrEqual(1)
        for (const bars of ['times', 'days'] as const) {
          expect(distance(before[bars], after[bars])).toBeLessThanOrEqual(leaves ? 1000 : 2000)
        }
      }),
      runs(4, 100),
    )
  })
})

const distance = (some: number[], others: number[]) =>
  some.reduce((sum, number, n) => sum + Math.abs(number - (others[n] ?? 0)), 0)

test('threat 143: somebody who opted out looks like somebody who does not use deeb', async () => {
  const [company] = fc.sample(fc.array(person, { minLength: 12, maxLength: 12 }), 1)
  const [, ...others] = company ?? []
  const busy = [8, 9, 10].map((day) => ({
    startedAt: new Date(Date.UTC(2026, 5, day, 7)),
    endedAt: new Date(Date.UTC(2026, 5, day, 15)),
    timeZone: 'UTC',
  }))
  const goals = [0, 1, 1, 1, 1, 1, 0]
  const sumsWith = async (first: RawPerson): Promise<Sums> =>
    sumUp(db, (await companyOf([first, ...others])).domain, WEEK)
  const optedOut = await sumsWith({ inReport: false, goals, sessions: busy })
  expect(optedOut).toEqual(await sumsWith({ inReport: true, goals, sessions: [] }))
  expect(optedOut).not.toEqual(await sumsWith({ inReport: true, goals, sessions: busy }))
})
