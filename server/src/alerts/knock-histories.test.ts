// Runs in npm run test:all.

import { readAlerts } from '@deeb/core/alerts/api'
import { allowKnocks, knock } from '@deeb/core/alerts/knock-api'
import { hidePerson, joinCircle, leaveCircle } from '@deeb/core/circles/api'
import { startFocus } from '@deeb/core/focus/api'
import { quitConnection } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { makeCircle } from '../testing/circles.ts'
import { type MadeUser, makeConnection, makeUser } from '../testing/make.ts'
import { times } from '../testing/runs.ts'
import { test as base } from '../testing/test.ts'
import { withoutLimits } from '../testing/without-limits.ts'

const test = base.extend('stores', { scope: 'file' }, { callLimitStore: withoutLimits() })

const HISTORIES = times(1_000, 10_000)
const SEED = 20_261_129

/** A day has passed: limits end, newcomers become visible, old knocks are gone. The clock itself would end the sign-ins. */
const afterADay = statement(
  'test.after-a-day',
  `with spent as (delete from auth.spent_tokens), visible as (update circle_members set visible_from = :now)
  delete from knocks`,
)

/** Numbers below `limit`, the same in each run (mulberry32). */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % limit
  }
}

test('threat 282: in random histories, exactly those knock who are allowed and see the receiver', async ({
  app,
  clock,
  people,
}) => {
  const random = randomNumbers(SEED)
  const [ann, ben, cleo] = await people(3)
  const keeper = await makeUser(app, { email: ann.email.replace(/^[^@]+/, `k${uuidv7()}`) })
  const { circleId, invite } = await makeCircle(app, [keeper])
  const senders = [ben, cleo]
  /** The model. */
  const members = new Set<MadeUser>()
  const connections = new Map<MadeUser, string>()
  const allowed = new Set<string>()
  /** Who hides from whom. */
  const hidden = new Set<string>()
  const pair = (one: MadeUser, other: MadeUser) => `${one.userId} ${other.userId}`
  const mayKnock = (sender: MadeUser) =>
    allowed.has(connections.get(sender) ?? '') ||
    (allowed.has(circleId) && members.has(sender) && !hidden.has(pair(ann, sender)) && !hidden.has(pair(sender, ann)))

  const acts: ((other: MadeUser) => Promise<unknown>)[] = [
    async (other) => {
      if (!connections.has(other)) connections.set(other, await makeConnection(app, ann, other))
    },
    async (other) => {
      const connectionId = connections.get(other)
      if (!connectionId) return
      const [by, from] = random(2) ? [ann, other] : [other, ann]
      await app.call(quitConnection, { connectionId }, by)
      connections.delete(other)
      allowed.delete(connectionId)
      if (members.has(ann) && members.has(other)) hidden.add(pair(by, from))
    },
    (other) => allow(connections.get(other), random(3) > 0),
    () => allow(members.has(ann) ? circleId : undefined, random(3) > 0),
    (other) => join(random(2) ? ann : other),
    (other) => leave(random(4) ? other : ann),
    (other) => hide(other, random(3) === 0),
  ]
  async function allow(id: string | undefined, isAllowed: boolean): Promise<void> {
    if (!id) return
    await app.call(allowKnocks, { id, isAllowed }, ann)
    if (isAllowed) allowed.add(id)
    else allowed.delete(id)
  }
  async function join(who: MadeUser): Promise<void> {
    await app.call(joinCircle, { invite }, who)
    members.add(who)
  }
  async function leave(who: MadeUser): Promise<void> {
    await app.call(leaveCircle, { circleId }, who)
    members.delete(who)
    if (who === ann) allowed.delete(circleId)
  }
  async function hide(other: MadeUser, isHidden: boolean): Promise<void> {
    const [by, from] = random(2) ? [ann, other] : [other, ann]
    await app.call(hidePerson, { userId: from.userId, isHidden }, by)
    if (isHidden) hidden.add(pair(by, from))
    else hidden.delete(pair(by, from))
  }

  await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, ann)
  const counts = { sent: 0, refused: 0 }
  for (let history = 0; history < HISTORIES; history++) {
    for (let n = random(4); n >= 0; n--) await acts[random(acts.length)]?.(senders[random(2)] as MadeUser)
    await app.db.query(afterADay, { now: clock.now() })
    const sender = senders[random(2)] as MadeUser
    const { status } = await app.call(knock, { userId: ann.userId }, sender)
    const { knocks } = (await app.call(readAlerts, {}, ann)).body
    const received = knocks?.received.map(({ id }) => id)
    expect([history, status, received]).toEqual(mayKnock(sender) ? [history, 200, [sender.userId]] : [history, 404, []])
    counts[status === 200 ? 'sent' : 'refused']++
  }
  expect(Math.min(counts.sent, counts.refused)).toBeGreaterThan(HISTORIES / 10)
})
