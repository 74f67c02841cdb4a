import { createCircle, hidePerson, joinCircle, leaveCircle } from '@deeb/core/circles/api'
import { quitConnection } from '@deeb/core/team/api'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPresences } from '../presence/read-presences.ts'
import { seenBy } from '../testing/circles.ts'
import { type MadeUser, makeConnection, makeUser } from '../testing/make.ts'
import { runs } from '../testing/runs.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { withoutLimits } from '../testing/without-limits.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await startTestApp({}, undefined, { callLimitStore: withoutLimits() })
})
afterAll(() => testApp.close())

const PEOPLE = 5
const CIRCLES = 2
const HOUR_MS = 3_600_000

type Act =
  | { does: 'connect' | 'hide' | 'quit' | 'show'; by: number; other: number }
  | { does: 'join' | 'leave'; by: number; circle: number }
  | { does: 'wait'; hours: number }

/** The reference model of one circle: when each member becomes visible. */
interface ModelCircle {
  createdAtMs: number
  visibleFromMs: Map<number, number>
}

/** The reference model, written from the rules alone. People are numbers. */
function createModel() {
  const connected = new Set<string>()
  const hiding = new Set<string>()
  const circles = new Map<number, ModelCircle>()
  const pair = (one: number, other: number) => [one, other].sort().join()
  const shares = (one: number, other: number, isVisible: (fromMs: number) => boolean) =>
    [...circles.values()].some(({ visibleFromMs: from }) =>
      [one, other].every((person) => from.has(person) && isVisible(from.get(person) ?? 0)),
    )
  return {
    act(act: Act, nowMs: number): void {
      if (act.does === 'connect') connected.add(pair(act.by, act.other))
      if (act.does === 'quit' && connected.delete(pair(act.by, act.other))) {
        if (shares(act.by, act.other, () => true)) hiding.add(`${act.by}>${act.other}`)
      }
      if (act.does === 'hide') hiding.add(`${act.by}>${act.other}`)
      if (act.does === 'show') hiding.delete(`${act.by}>${act.other}`)
      if (act.does === 'join') {
        const circle = circles.get(act.circle) ?? { createdAtMs: nowMs, visibleFromMs: new Map() }
        circles.set(act.circle, circle)
        const waitMs = circle.createdAtMs + 24 * HOUR_MS > nowMs ? 0 : 24 * HOUR_MS
        if (!circle.visibleFromMs.has(act.by)) circle.visibleFromMs.set(act.by, nowMs + waitMs)
      }
      if (act.does === 'leave') {
        const circle = circles.get(act.circle)
        circle?.visibleFromMs.delete(act.by)
        if (circle?.visibleFromMs.size === 0) circles.delete(act.circle)
      }
    },
    isConnected: (one: number, other: number) => connected.has(pair(one, other)),
    sees(one: number, other: number, nowMs: number): boolean {
      if (one === other) return false
      if (connected.has(pair(one, other))) return true
      if (hiding.has(`${one}>${other}`) || hiding.has(`${other}>${one}`)) return false
      return shares(one, other, (fromMs) => fromMs <= nowMs)
    },
  }
}

/** Performs acts on the server, each by its call. */
function createActors(people: MadeUser[]) {
  const connections = new Map<string, string>()
  const circles = new Map<number, { circleId: string; invite: string; members: Set<number> }>()
  const person = (number: number) => people[number] as MadeUser
  return async (act: Act, isConnected: boolean): Promise<void> => {
    if (act.does === 'wait') return testApp.clock.advance({ hours: act.hours })
    const me = person(act.by)
    if (act.does === 'join') {
      const circle = circles.get(act.circle)
      if (circle) await testApp.call(joinCircle, { invite: circle.invite }, me)
      const { circleId, invite } = circle ?? (await testApp.call(createCircle, { name: 'Circle' }, me)).body
      circles.set(act.circle, { circleId, invite, members: new Set([...(circle?.members ?? []), act.by]) })
      return
    }
    if (act.does === 'leave') {
      const circle = circles.get(act.circle)
      if (circle) await testApp.call(leaveCircle, { circleId: circle.circleId }, me)
      circle?.members.delete(act.by)
      if (circle?.members.size === 0) circles.delete(act.circle)
      return
    }
    if (!('other' in act)) return
    const other = person(act.other)
    const key = [act.by, act.other].sort().join()
    if (act.does === 'connect' && !isConnected) connections.set(key, await makeConnection(testApp, me, other))
    if (act.does === 'quit' && isConnected) {
      await testApp.call(quitConnection, { connectionId: connections.get(key) ?? '' }, me)
    }
    if (act.does === 'hide' || act.does === 'show') {
      await testApp.call(hidePerson, { userId: other.userId, isHidden: act.does === 'hide' }, me)
    }
  }
}

const people = fc.nat(PEOPLE - 1)
const betweenTwo = fc
  .record({ does: fc.constantFrom('connect', 'quit', 'hide', 'show'), by: people, other: people })
  .filter(({ by, other }) => by !== other)
const aboutCircle = fc.record({
  does: fc.constantFrom('join', 'join', 'join', 'leave'),
  by: people,
  circle: fc.nat(CIRCLES - 1),
})
const wait = fc.record({ does: fc.constant('wait'), hours: fc.constantFrom(1, 12, 23, 24) })
const acts = fc.array(fc.oneof(betweenTwo, aboutCircle, aboutCircle, wait) as fc.Arbitrary<Act>, {
  minLength: 5,
  maxLength: 30,
})

test('property: after any history, the fan-out and the team show the same people as the rules', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (acts) => {
      const users = await Promise.all(Array.from({ length: PEOPLE }, () => makeUser(testApp)))
      const numbers = users.map((_, number) => number)
      const [model, perform] = [createModel(), createActors(users)]
      for (const act of acts) {
        await perform(act, 'other' in act && model.isConnected(act.by, act.other))
        const nowMs = testApp.clock.now().getTime()
        model.act(act, nowMs)
        const expected = numbers.map((one) =>
          numbers
            .filter((other) => model.sees(one, other, nowMs))
            .map((other) => users[other]?.userId)
            .sort(),
        )
        const userIds = users.map(({ userId }) => userId)
        const presences = await readPresences(testApp.db, userIds, testApp.clock.now())
        const audiences = new Map(presences.map(({ userId, seenBy }) => [userId, seenBy]))
        expect(userIds.map((userId) => audiences.get(userId)?.sort())).toEqual(expected)
        if (act === acts.at(-1)) {
          expect(await Promise.all(users.map((user) => seenBy(testApp, user)))).toEqual(expected)
        }
      }
    }),
    runs(25, 2_000),
  )
})
