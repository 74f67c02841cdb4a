import { deleteAccount } from '@deeb/core/account/api'
import { closeCircle, createCircle, hidePerson, joinCircle, leaveCircle, removeMember } from '@deeb/core/circles/api'
import { MAX_CIRCLES } from '@deeb/core/circles/circle'
import { quitConnection } from '@deeb/core/team/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { moveProfile } from '../profile/move-profile.ts'
import { makeCircle } from '../testing/circles.ts'
import { type MadeUser, makeConnection, makeUser, PASSWORD } from '../testing/make.ts'
import { times } from '../testing/runs.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { withoutLimits } from '../testing/without-limits.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await startTestApp({}, undefined, { callLimitStore: withoutLimits() })
})
afterAll(() => testApp.close())

const ROUNDS = times(8, 200)

const makeUsers = (count: number) => Promise.all(Array.from({ length: count }, () => makeUser(testApp)))
const join = async (invite: string, user: MadeUser) => {
  const { status, error } = await testApp.call(joinCircle, { invite }, user)
  return status === 200 ? 'joined' : error.code
}

const stored = statement(
  'test.members-of-circle',
  `select (select count(*)::int from circles where id = :circleId) as circles,
    array(select user_id::text from circle_members where circle_id = :circleId order by user_id) as members`,
)
async function read(circleId: string) {
  const [row] = await testApp.db.query<{ circles: number; members: string[] }>(stored, { circleId })
  return row ?? { circles: 0, members: [] }
}

const elsewhere = (user: MadeUser) => ({ userId: user.userId, email: `${user.userId}@elsewhere.example` })
async function move(user: MadeUser): Promise<void> {
  const policy = await testApp.auth.companyPolicy()
  await testApp.db.transaction((db) => moveProfile(db, elsewhere(user), policy, testApp.clock.now()))
}

test('60 join concurrently where there is room for 49 more', async () => {
  const [keeper, ...others] = (await makeUsers(61)) as [MadeUser, ...MadeUser[]]
  const { circleId, invite } = await makeCircle(testApp, [keeper])
  const outcomes = await Promise.all(others.map((other) => join(invite, other)))
  expect(outcomes.filter((outcome) => outcome === 'joined')).toHaveLength(49)
  expect(outcomes.filter((outcome) => outcome === 'circle_full')).toHaveLength(11)
  expect((await read(circleId)).members).toHaveLength(50)
})

test('one person who joins and creates many circles concurrently is in ten', async () => {
  const [ann, ...keepers] = (await makeUsers(9)) as [MadeUser, ...MadeUser[]]
  const circles = await Promise.all(keepers.map((keeper) => makeCircle(testApp, [keeper])))
  const created = Array.from({ length: 8 }, () => testApp.call(createCircle, { name: 'Own' }, ann))
  const outcomes = await Promise.all([
    ...circles.map(({ invite }) => join(invite, ann)),
    ...created.map(async (answer) => ((await answer).status === 200 ? 'joined' : 'too_many_circles')),
  ])
  expect(outcomes.filter((outcome) => outcome === 'joined')).toHaveLength(MAX_CIRCLES)
  expect(outcomes.filter((outcome) => outcome === 'too_many_circles')).toHaveLength(16 - MAX_CIRCLES)
})

test('a circle that is closed while others join keeps no member', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [keeper, ...others] = (await makeUsers(6)) as [MadeUser, ...MadeUser[]]
    const { circleId, invite } = await makeCircle(testApp, [keeper])
    const [closed, ...outcomes] = await Promise.all([
      testApp.call(closeCircle, { circleId }, keeper),
      ...others.map((other) => join(invite, other)),
    ])
    expect(closed.status).toBe(200)
    for (const outcome of outcomes) expect(['joined', 'not_found']).toContain(outcome)
    expect(await read(circleId)).toEqual({ circles: 0, members: [] })
  }
})

test('the last member who leaves while another joins deletes no circle with a member', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [ann, ben] = (await makeUsers(2)) as [MadeUser, MadeUser]
    const { circleId, invite } = await makeCircle(testApp, [ann])
    const [, outcome] = await Promise.all([testApp.call(leaveCircle, { circleId }, ann), join(invite, ben)])
    const expected = outcome === 'joined' ? { circles: 1, members: [ben.userId] } : { circles: 0, members: [] }
    expect(await read(circleId)).toEqual(expected)
  }
})

test('an address that moves to another company during a join is in no circle', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [ann, ben] = (await makeUsers(2)) as [MadeUser, MadeUser]
    const { circleId, invite } = await makeCircle(testApp, [ann])
    const [outcome] = await Promise.all([join(invite, ben), move(ben)])
    expect(['joined', 'not_found']).toContain(outcome)
    expect((await read(circleId)).members).toEqual([ann.userId])
  }
})

test('all ways out of one circle concurrently leave no empty circle and cause no error', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const users = (await makeUsers(6)) as [MadeUser, MadeUser, MadeUser, MadeUser, MadeUser, MadeUser]
    const [keeper, removed, left, moved, deleted, quits] = users
    const circles = [await makeCircle(testApp, users), await makeCircle(testApp, users)]
    const connectionId = await makeConnection(testApp, quits, moved)
    const answers = await Promise.all([
      ...circles.flatMap(({ circleId }) => [
        testApp.call(removeMember, { circleId, userId: removed.userId }, keeper),
        testApp.call(leaveCircle, { circleId }, left),
        testApp.call(leaveCircle, { circleId }, quits),
        testApp.call(leaveCircle, { circleId }, keeper),
      ]),
      testApp.call(hidePerson, { userId: left.userId, isHidden: true }, quits),
      testApp.call(quitConnection, { connectionId }, quits),
      testApp.call(deleteAccount, { password: PASSWORD }, deleted),
      move(moved).then(() => ({ status: 200 })),
    ])
    // The keeper may have left before: then nobody may remove a member.
    expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true)
    for (const { circleId } of circles) {
      const { circles, members } = await read(circleId)
      expect([[], [removed.userId]]).toContainEqual(members)
      expect(circles).toBe(members.length)
    }
  }
})
