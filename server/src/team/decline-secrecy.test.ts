// Runs in npm run test:all.
import { randomUUID } from 'node:crypto'
import { readMyData } from '@deeb/core/account/api'
import {
  answerRequest,
  readPeople,
  readTeam,
  requestConnection,
  searchColleagues,
  takeBackRequest,
} from '@deeb/core/team/api'
import fc from 'fast-check'
import { expect } from 'vitest'
import { moveProfile } from '../profile/move-profile.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { runs } from '../testing/runs.ts'
import { test as base } from '../testing/test.ts'

const test = base.extend('team', ({ app, clock }) => {
  async function makeWorld(beaDeclines: boolean): Promise<World> {
    const company = `${randomUUID()}.example`
    const join = (name: string) => makeUser(app, { email: `${name}@${company}` })
    const [ann, bea] = [await join('ann.meyer'), await join('bea.berg')]
    await join('cleo.dahl')
    return { company, ann, bea, beaDeclines, requestId: randomUUID(), seen: new Map() }
  }
  /** Performs an act and returns what Ann learns from it. */
  async function perform(world: World, act: Act): Promise<unknown> {
    const { ann, bea } = world
    if (act === 'ask') {
      const { status, body } = await app.call(requestConnection, { userId: bea.userId }, ann)
      if (status === 200) world.requestId = body.connectionId
      return [status, body]
    }
    if (act === 'take back') {
      const { status, body } = await app.call(takeBackRequest, { requestId: world.requestId }, ann)
      return [status, body]
    }
    if (act === 'bea asks') return (await app.call(requestConnection, { userId: ann.userId }, bea)).status
    if (act === 'wait') return null
    const [who, name] = act.startsWith('ann') ? [ann, 'ann.meyer'] : [bea, 'bea.berg']
    const company = act.endsWith('leaves') ? `away-${world.company}` : world.company
    const policy = await app.auth.companyPolicy()
    const moved = { userId: who.userId, email: `${name}@${company}` }
    return (await app.db.transaction((db) => moveProfile(db, moved, policy, clock.now()))).disconnected.includes(
      ann.userId,
    )
  }
  /** All that Ann can read, without what differs between any two companies. */
  async function viewOf({ ann, seen, company }: World, learned: unknown): Promise<unknown> {
    const { connections, requests, sent } = (await app.call(readTeam, {}, ann)).body
    const people = (await app.call(readPeople, {}, ann)).body
    const found = (await app.call(searchColleagues, { query: 'b' }, ann)).body
    const { team_connections: rows } = (await app.call(readMyData, {}, ann)).body
    const view = { learned, connections, requests, sent, people, found, rows }
    const text = JSON.stringify(view)
      .replaceAll(company, 'company')
      .replaceAll(/"requestId":"[^"]*"/g, '"ignored":0')
      .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, (id) => {
        seen.set(id, seen.get(id) ?? seen.size)
        return `id ${seen.get(id)}`
      })
    return JSON.parse(text)
  }
  /** In the world where she declines, Bea declines what she sees. Returns how many requests those were. */
  async function decline({ bea, beaDeclines }: World): Promise<number> {
    if (!beaDeclines) return 0
    const { requests } = (await app.call(readTeam, {}, bea)).body
    for (const { id } of requests) {
      expect((await app.call(answerRequest, { requestId: id, answer: 'declined' }, bea)).status).toBe(200)
    }
    return requests.length
  }
  return { makeWorld, perform, viewOf, decline }
})

/** A company. The worlds differ only in whether Bea declines every request of Ann that she sees. */
interface World {
  company: string
  ann: MadeUser
  bea: MadeUser
  beaDeclines: boolean
  /** The id of Ann's last request to Bea. */
  requestId: string
  /** Replaces ids by numbers, in the order in which Ann saw them. */
  seen: Map<string, number>
}

type Act = 'ask' | 'take back' | 'wait' | 'ann leaves' | 'ann returns' | 'bea leaves' | 'bea returns' | 'bea asks'

const acts = fc.array(
  fc.constantFrom<Act>(
    ...(['ask', 'ask', 'ask', 'take back', 'take back', 'wait'] as const),
    ...(['ann leaves', 'ann returns', 'bea leaves', 'bea returns', 'bea asks'] as const),
  ),
  { minLength: 2, maxLength: 8 },
)

test('threat 89, property: a requester learns nothing from a decline, and the decliner sees no further request', async ({
  clock,
  team,
}) => {
  await fc.assert(
    fc.asyncProperty(acts, async (acts) => {
      const [pending, declined] = [await team.makeWorld(false), await team.makeWorld(true)]
      let declines = 0
      for (const act of ['ask' as const, ...acts]) {
        const learned = await team.perform(pending, act)
        expect(await team.viewOf(declined, await team.perform(declined, act)), act).toEqual(
          await team.viewOf(pending, learned),
        )
        // Only Bea herself ends the decline.
        if (act === 'bea asks') declines = 0
        declines += await team.decline(declined)
        expect(declines, act).toBeLessThanOrEqual(1)
        clock.advance(act === 'wait' ? { hours: 9 } : { minutes: 1 })
      }
    }),
    {
      ...runs(4, 500),
      examples: [
        [['take back', 'ask', 'take back', 'bea leaves', 'bea returns', 'ask', 'bea asks']],
        [['bea leaves', 'bea returns', 'ask', 'ann leaves', 'ann returns']],
      ],
    },
  )
})
