// Runs in npm run test:all.
import { deleteAccount } from '@deeb/core/account/api'
import { closeCircle, createCircle, hidePerson, joinCircle, leaveCircle, removeMember } from '@deeb/core/circles/api'
import { MAX_CIRCLES } from '@deeb/core/circles/circle'
import { quitConnection } from '@deeb/core/team/api'
import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { moveProfile } from '../profile/move-profile.ts'
import { makeCircle } from '../testing/circles.ts'
import { type MadeUser, makeConnection, makeUser, PASSWORD } from '../testing/make.ts'
import { times } from '../testing/runs.ts'
import { test as base } from '../testing/test.ts'
import { withoutLimits } from '../testing/without-limits.ts'

const test = base
  .extend('stores', { scope: 'file' }, { callLimitStore: withoutLimits() })
  .extend('circle', ({ app, clock }) => {
    const makeUsers = (count: number) => Promise.all(Array.from({ length: count }, () => makeUser(app)))
    const join = async (invite: string, user: MadeUser) => {
      const { status, error } = await app.call(joinCircle, { invite }, user)
      return status === 200 ? 'joined' : error.code
    }
    async function read(circleId: string) {
      const [row] = await app.db.query<{ circles: number; members: string[] }>(stored, { circleId })
      return row ?? { circles: 0, members: [] }
    }
    async function move(user: MadeUser): Promise<void> {
      const policy = await app.auth.companyPolicy()
      await app.db.transaction((db) => moveProfile(db, elsewhere(user), policy, clock.now()))
    }
    return { makeUsers, join, read, move }
  })

const ROUNDS = times(8, 200)

const stored = statement(
  'test.members-of-circle',
  `select (select count(*)::int from circles where id = :circleId) as circles,
    array(select user_id::text from circle_members where circle_id = :circleId order by user_id) as members`,
)

const elsewhere = (user: MadeUser) => ({ userId: user.userId, email: `${user.userId}@elsewhere.example` })

test('60 join concurrently where there is room for 49 more', async ({ app, circle }) => {
  const [keeper, ...others] = (await circle.makeUsers(61)) as [MadeUser, ...MadeUser[]]
  const { circleId, invite } = await makeCircle(app, [keeper])
  const outcomes = await Promise.all(others.map((other) => circle.join(invite, other)))
  expect(outcomes.filter((outcome) => outcome === 'joined')).toHaveLength(49)
  expect(outcomes.filter((outcome) => outcome === 'circle_full')).toHaveLength(11)
  expect((await circle.read(circleId)).members).toHaveLength(50)
})

test('one person who joins and creates many circles concurrently is in ten', async ({ app, circle }) => {
  const [ann, ...keepers] = (await circle.makeUsers(9)) as [MadeUser, ...MadeUser[]]
  const circles = await Promise.all(keepers.map((keeper) => makeCircle(app, [keeper])))
  const created = Array.from({ length: 8 }, () => app.call(createCircle, { name: 'Own' }, ann))
  const outcomes = await Promise.all([
    ...circles.map(({ invite }) => circle.join(invite, ann)),
    ...created.map(async (answer) => ((await answer).status === 200 ? 'joined' : 'too_many_circles')),
  ])
  expect(outcomes.filter((outcome) => outcome === 'joined')).toHaveLength(MAX_CIRCLES)
  expect(outcomes.filter((outcome) => outcome === 'too_many_circles')).toHaveLength(16 - MAX_CIRCLES)
})

test('a circle that is closed while others join keeps no member', async ({ app, circle }) => {
  for (let round = 0; round < ROUNDS; round++) {
    const [keeper, ...others] = (await circle.makeUsers(6)) as [MadeUser, ...MadeUser[]]
    const { circleId, invite } = await makeCircle(app, [keeper])
    const [closed, ...outcomes] = await Promise.all([
      app.call(closeCircle, { circleId }, keeper),
      ...others.map((other) => circle.join(invite, other)),
    ])
    expect(closed.status).toBe(200)
    for (const outcome of outcomes) expect(['joined', 'not_found']).toContain(outcome)
    expect(await circle.read(circleId)).toEqual({ circles: 0, members: [] })
  }
})

test('the last member who leaves while another joins deletes no circle with a member', async ({ app, circle }) => {
  for (let round = 0; round < ROUNDS; round++) {
    const [ann, ben] = (await circle.makeUsers(2)) as [MadeUser, MadeUser]
    const { circleId, invite } = await makeCircle(app, [ann])
    const [, outcome] = await Promise.all([app.call(leaveCircle, { circleId }, ann), circle.join(invite, ben)])
    const expected = outcome === 'joined' ? { circles: 1, members: [ben.userId] } : { circles: 0, members: [] }
    expect(await circle.read(circleId)).toEqual(expected)
  }
})

test('an address that moves to another company during a join is in no circle', async ({ app, circle }) => {
  for (let round = 0; round < ROUNDS; round++) {
    const [ann, ben] = (await circle.makeUsers(2)) as [MadeUser, MadeUser]
    const { circleId, invite } = await makeCircle(app, [ann])
    const [outcome] = await Promise.all([circle.join(invite, ben), circle.move(ben)])
    expect(['joined', 'not_found']).toContain(outcome)
    expect((await circle.read(circleId)).members).toEqual([ann.userId])
  }
})

test('all ways out of one circle concurrently leave no empty circle and cause no error', async ({ app, circle }) => {
  for (let round = 0; round < ROUNDS; round++) {
    const users = (await circle.makeUsers(6)) as [MadeUser, MadeUser, MadeUser, MadeUser, MadeUser, MadeUser]
    const [keeper, removed, left, moved, deleted, quits] = users
    const circles = [await makeCircle(app, users), await makeCircle(app, users)]
    const connectionId = await makeConnection(app, quits, moved)
    const answers = await Promise.all([
      ...circles.flatMap(({ circleId }) => [
        app.call(removeMember, { circleId, userId: removed.userId }, keeper),
        app.call(leaveCircle, { circleId }, left),
        app.call(leaveCircle, { circleId }, quits),
        app.call(leaveCircle, { circleId }, keeper),
      ]),
      app.call(hidePerson, { userId: left.userId, isHidden: true }, quits),
      app.call(quitConnection, { connectionId }, quits),
      app.call(deleteAccount, { password: PASSWORD }, deleted),
      circle.move(moved).then(() => ({ status: 200 })),
    ])
    // The keeper may have left before: then nobody may remove a member.
    expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true)
    for (const { circleId } of circles) {
      const { circles, members } = await circle.read(circleId)
      expect([[], [removed.userId]]).toContainEqual(members)
      expect(circles).toBe(members.length)
    }
  }
})
