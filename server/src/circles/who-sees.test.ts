// Runs in npm run test:all.
import { deleteAccount } from '@deeb/core/account/api'
import { closeCircle, createCircle, hidePerson, joinCircle, leaveCircle, removeMember } from '@deeb/core/circles/api'
import { quitConnection } from '@deeb/core/team/api'
import fc from 'fast-check'
import { expect } from 'vitest'
import { readPresences } from '../presence/read-presences.ts'
import { moveProfile } from '../profile/move-profile.ts'
import { seenBy } from '../testing/circles.ts'
import { type MadeUser, makeConnection, makeUser, PASSWORD } from '../testing/make.ts'
import { runs } from '../testing/runs.ts'
import { test as base } from '../testing/test.ts'
import { withoutLimits } from '../testing/without-limits.ts'

const test = base
  .extend('stores', { scope: 'file' }, { callLimitStore: withoutLimits() })
  /** Performs acts on the server, each by its call. */
  .extend(
    'createActors',
    ({ app, clock }) =>
      function createActors(people: MadeUser[], hasCircle: (circle: number) => boolean) {
        const connections = new Map<string, string>()
        const circles = new Map<number, { circleId: string; invite: string }>()
        const hasMoved = new Set<MadeUser>()
        const person = (number: number) => people[number] as MadeUser
        async function move(me: MadeUser): Promise<void> {
          if (!hasMoved.delete(me)) hasMoved.add(me)
          const email = hasMoved.has(me) ? me.email.replace('@', '@elsewhere-') : me.email
          await app.db.transaction((db) => moveProfile(db, { userId: me.userId, email }, POLICY, clock.now()))
        }
        async function aboutCircle(act: Act & { circle: number }, me: MadeUser): Promise<void> {
          if (act.does === 'join' && !hasCircle(act.circle)) {
            circles.set(act.circle, (await app.call(createCircle, { name: 'Circle' }, me)).body)
            return
          }
          const circle = circles.get(act.circle)
          if (!circle) return
          const { circleId, invite } = circle
          if (act.does === 'join') await app.call(joinCircle, { invite }, me)
          if (act.does === 'leave') await app.call(leaveCircle, { circleId }, me)
          if (act.does === 'close') await app.call(closeCircle, { circleId }, me)
          if (act.does === 'remove') await app.call(removeMember, { circleId, userId: person(act.other).userId }, me)
        }
        return async (act: Act): Promise<void> => {
          if (act.does === 'wait') return clock.advance({ hours: act.hours })
          clock.advance({ minutes: 1 })
          const me = person(act.by)
          if ('circle' in act) return aboutCircle(act, me)
          if (act.does === 'move') return move(me)
          if (act.does === 'delete') {
            await app.call(deleteAccount, { password: PASSWORD }, me)
            return
          }
          const other = person(act.other)
          const key = [act.by, act.other].sort().join()
          if (act.does === 'connect') connections.set(key, await makeConnection(app, me, other))
          if (act.does === 'quit') await app.call(quitConnection, { connectionId: connections.get(key) ?? '' }, me)
          if (act.does === 'hide' || act.does === 'show') {
            await app.call(hidePerson, { userId: other.userId, isHidden: act.does === 'hide' }, me)
          }
        }
      },
  )

const PEOPLE = 5
const CIRCLES = 2
const HOUR_MS = 3_600_000

type Act =
  | { does: 'connect' | 'hide' | 'quit' | 'show'; by: number; other: number }
  | { does: 'close' | 'join' | 'leave'; by: number; circle: number }
  | { does: 'remove'; by: number; other: number; circle: number }
  | { does: 'delete'; by: number }
  | { does: 'move'; by: number }
  | { does: 'wait'; hours: number }

/** The reference model of one circle: when each member becomes visible, and the number of its company. */
interface ModelCircle {
  createdAtMs: number
  company: number
  visibleFromMs: Map<number, number>
}

/** The reference model, written from the rules alone. People are numbers. */
function createModel() {
  const connected = new Set<string>()
  const hiding = new Set<string>()
  const circles = new Map<number, ModelCircle>()
  const companies = new Map(Array.from({ length: PEOPLE }, (_, person) => [person, 0]))
  const pair = (one: number, other: number) => [one, other].sort().join()
  const areColleagues = (one: number, other: number) => companies.get(one) === companies.get(other)
  const shares = (one: number, other: number, isVisible: (fromMs: number) => boolean) =>
    [...circles.values()].some(({ visibleFromMs: from }) =>
      [one, other].every((person) => from.has(person) && isVisible(from.get(person) ?? 0)),
    )
  /** The map has the members in the order in which they joined. */
  function keeps(person: number, circle: number): boolean {
    const [keeper] = circles.get(circle)?.visibleFromMs.keys() ?? []
    return keeper === person
  }
  function leave(person: number, number: number): void {
    const members = circles.get(number)?.visibleFromMs
    members?.delete(person)
    if (members?.size === 0) circles.delete(number)
  }
  function part(person: number): void {
    for (const other of companies.keys()) connected.delete(pair(person, other))
    for (const number of [...circles.keys()]) leave(person, number)
  }
  return {
    act(act: Act, nowMs: number): void {
      if (act.does === 'connect') connected.add(pair(act.by, act.other))
      if (act.does === 'quit' && connected.delete(pair(act.by, act.other))) {
        if (shares(act.by, act.other, () => true)) hiding.add(`${act.by}>${act.other}`)
      }
      if (act.does === 'hide' && areColleagues(act.by, act.other)) hiding.add(`${act.by}>${act.other}`)
      if (act.does === 'show' && areColleagues(act.by, act.other)) hiding.delete(`${act.by}>${act.other}`)
      if (act.does === 'join') {
        const company = companies.get(act.by) ?? 0
        const circle = circles.get(act.circle) ?? { createdAtMs: nowMs, company, visibleFromMs: new Map() }
        circles.set(act.circle, circle)
        const waitMs = circle.createdAtMs + 24 * HOUR_MS > nowMs ? 0 : 24 * HOUR_MS
        const isNew = circle.company === company && !circle.visibleFromMs.has(act.by)
        if (isNew) circle.visibleFromMs.set(act.by, nowMs + waitMs)
      }
      if (act.does === 'leave') leave(act.by, act.circle)
      if (act.does === 'remove' && keeps(act.by, act.circle)) leave(act.other, act.circle)
      if (act.does === 'close' && keeps(act.by, act.circle)) circles.delete(act.circle)
      if (act.does === 'move' || act.does === 'delete') part(act.by)
      if (act.does === 'move') companies.set(act.by, 1 - (companies.get(act.by) ?? 0))
      if (act.does === 'delete') companies.delete(act.by)
    },
    /** Whether there is anybody to do it, and a connection to quit or none to make. */
    isPossible(act: Act): boolean {
      if (act.does === 'wait') return true
      if (!companies.has(act.by) || ('other' in act && !companies.has(act.other))) return false
      if (act.does === 'connect') return areColleagues(act.by, act.other) && !connected.has(pair(act.by, act.other))
      return act.does !== 'quit' || connected.has(pair(act.by, act.other))
    },
    exists: (person: number) => companies.has(person),
    hasCircle: (circle: number) => circles.has(circle),
    sees(one: number, other: number, nowMs: number): boolean {
      if (one === other) return false
      if (connected.has(pair(one, other))) return true
      if (hiding.has(`${one}>${other}`) || hiding.has(`${other}>${one}`)) return false
      return shares(one, other, (fromMs) => fromMs <= nowMs)
    },
  }
}

const POLICY = { freeMailDomains: new Set<string>(), companyDomains: null }

const people = fc.nat(PEOPLE - 1)
const betweenTwo = fc
  .record({ does: fc.constantFrom('connect', 'quit', 'hide', 'show'), by: people, other: people })
  .filter(({ by, other }) => by !== other)
const aboutCircle = fc.record({
  does: fc.constantFrom('join', 'join', 'join', 'join', 'leave', 'close'),
  by: people,
  circle: fc.nat(CIRCLES - 1),
})
const remove = fc
  .record({ does: fc.constant('remove'), by: people, other: people, circle: fc.nat(CIRCLES - 1) })
  .filter(({ by, other }) => by !== other)
const going = fc.record({ does: fc.constantFrom('move', 'move', 'delete'), by: people })
const wait = fc.record({ does: fc.constant('wait'), hours: fc.constantFrom(1, 12, 23, 24) })
const anyAct = fc.oneof(
  ...[
    { arbitrary: betweenTwo, weight: 6 },
    { arbitrary: aboutCircle, weight: 12 },
    { arbitrary: remove, weight: 6 },
    { arbitrary: going, weight: 1 },
    { arbitrary: wait, weight: 5 },
  ],
) as fc.Arbitrary<Act>
const acts = fc.array(anyAct, { minLength: 5, maxLength: 30 })

test('property: after any history, the fan-out and the team show the same people as the rules', async ({
  app,
  clock,
  createActors,
}) => {
  await fc.assert(
    fc.asyncProperty(acts, async (acts) => {
      const users = await Promise.all(Array.from({ length: PEOPLE }, () => makeUser(app)))
      // For comparing lists of ids.
      users.sort((one, other) => (one.userId < other.userId ? -1 : 1))
      const numbers = users.map((_, number) => number)
      const model = createModel()
      const perform = createActors(users, model.hasCircle)
      const userIds = users.map(({ userId }) => userId)
      /** By the rules, whom each person sees. */
      function expected(): (string | undefined)[][] {
        const nowMs = clock.now().getTime()
        return numbers.map((one) => numbers.filter((other) => model.sees(one, other, nowMs)).map((n) => userIds[n]))
      }
      for (const act of acts) {
        if (!model.isPossible(act)) continue
        await perform(act)
        model.act(act, clock.now().getTime())
        const presences = await readPresences(app.db, userIds, clock.now())
        const audiences = new Map(presences.map(({ userId, seenBy }) => [userId, seenBy.sort()]))
        expect(userIds.map((userId) => audiences.get(userId) ?? [])).toEqual(expected())
      }
      const alive = numbers.filter(model.exists)
      const seen = await Promise.all(alive.map((number) => seenBy(app, users[number] as MadeUser)))
      expect(seen).toEqual(alive.map((number) => expected()[number]))
    }),
    runs(25, 2_000),
  )
})
