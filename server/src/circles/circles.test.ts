import { deleteAccount, readMyData } from '@deeb/core/account/api'
import {
  changeCircleLink,
  closeCircle,
  createCircle,
  hidePerson,
  joinCircle,
  leaveCircle,
  previewCircle,
  readCircles,
  removeMember,
  renameCircle,
} from '@deeb/core/circles/api'
import { startFocus } from '@deeb/core/focus/api'
import { answerRequest, quitConnection, readTeam, requestConnection, searchColleagues } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { blockUser, unblockUser } from '../admin/users.ts'
import { statement } from '../db/db.ts'
import { moveProfile } from '../profile/move-profile.ts'
import { makeCircle, seenBy } from '../testing/circles.ts'
import { openStream, type TestStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makeUser, PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { withoutLimits } from '../testing/without-limits.ts'
import { joinCircle as joinCircleBelow } from './join-circle.ts'

const test = base
  .extend('settings', { scope: 'file' }, { CIRCLE_SIZE: '5' })
  .extend('stores', { scope: 'file' }, { callLimitStore: withoutLimits() })
  .extend('members', ({ app, clock }) => {
    const circlesOf = async (user: MadeUser) => (await app.call(readCircles, {}, user)).body
    const teamOf = async (user: MadeUser) => (await app.call(readTeam, {}, user)).body
    const preview = (invite: string, user: MadeUser) => app.call(previewCircle, { invite }, user)
    const join = (invite: string, user: MadeUser) => app.call(joinCircle, { invite }, user)
    const hide = (userId: string, user: MadeUser, isHidden = true) => app.call(hidePerson, { userId, isHidden }, user)
    const later = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000).toISOString()
    const exists = async (circleId: string) => (await app.db.query(existing, { circleId })).length === 1
    const deactivate = ({ userId }: MadeUser) => app.db.query(off, { userId })
    /** Moves a user to a company of their own. */
    async function move(user: MadeUser): Promise<string[]> {
      const moved = { userId: user.userId, email: `${user.userId}@elsewhere.example` }
      const policy = { freeMailDomains: new Set<string>(), companyDomains: null }
      return (await app.db.transaction((db) => moveProfile(db, moved, policy, clock.now()))).disconnected
    }
    return { circlesOf, teamOf, preview, join, hide, later, exists, deactivate, move }
  })

let ann: MadeUser
let ben: MadeUser
let cleo: MadeUser
test.beforeEach(async ({ app }) => {
  ;[ann, ben, cleo] = await Promise.all([makeUser(app), makeUser(app), makeUser(app)])
})
const idsOf = (people: { person: { id: string } }[] = []) => people.map(({ person }) => person.id).sort()
const ids = (...users: MadeUser[]) => users.map(({ userId }) => userId).sort()

const existing = statement('test.circle-exists', 'select from circles where id = :circleId')

const off = statement('test.deactivate', 'update auth.users set deactivated_at = now() where id = :userId')

const NO_QUIET_TIMES = {
  ...{ timeZone: null, times: [] },
  ...{ takesPart: false, notifies: false, switchesOn: false, skips: false },
}

describe('create', () => {
  test('makes a circle with the creator as its keeper and only member', async ({ app, clock, members }) => {
    const { status, body } = await app.call(createCircle, { name: '  Backend ' }, ann)
    expect([status, body.invite]).toEqual([200, expect.stringMatching(/^[\w-]{22}$/)])
    const { circles, hidden, circleSize } = await members.circlesOf(ann)
    expect(circles).toEqual([
      {
        ...{
          id: body.circleId,
          name: 'Backend',
          invite: body.invite,
          signature: expect.any(String),
          isKeeper: true,
          people: [],
          quiet: NO_QUIET_TIMES,
        },
        visibleFrom: clock.now().toISOString(),
      },
    ])
    expect([hidden, circleSize]).toEqual([[], 5])
  })

  test('refuses names by the rules of usernames', async ({ app }) => {
    for (const name of ['', '   ', 'x'.repeat(41), 'Back\u202eend']) {
      const { status, error } = await app.call(createCircle, { name }, ann)
      expect([status, error.code, error.fields?.[0]?.path]).toEqual([400, 'invalid_input', 'name'])
    }
    expect((await app.call(createCircle, { name: 'x'.repeat(40) }, ann)).status).toBe(200)
  })

  test('needs a company', async ({ app }) => {
    const alone = await makeUser(app, { email: `${uuidv7()}@gmail.com` })
    const { status, error } = await app.call(createCircle, { name: 'Backend' }, alone)
    expect([status, error.code]).toEqual([404, 'not_found'])
  })

  test('refuses an eleventh circle, created or joined', async ({ app, members }) => {
    for (let count = 0; count < 10; count++) await makeCircle(app, [ann], `Circle ${count}`)
    const { invite } = await makeCircle(app, [ben])
    const refused = [await app.call(createCircle, { name: 'One more' }, ann), await members.join(invite, ann)]
    expect(refused.map(({ status, error }) => [status, error.code])).toEqual(Array(2).fill([409, 'too_many_circles']))
    const [first] = (await members.circlesOf(ann)).circles
    await app.call(leaveCircle, { circleId: first?.id ?? '' }, ann)
    expect((await members.join(invite, ann)).status).toBe(200)
  })
})

describe('join', () => {
  test('a preview shows who would see the caller, and from when on', async ({ app, clock, members }) => {
    const { invite } = await makeCircle(app, [ann, ben])
    const now = clock.now().toISOString()
    const { body } = await members.preview(invite, cleo)
    expect(body).toMatchObject({ name: 'Backend', visibleFrom: now, isMember: false })
    expect(body.people.map(({ id }) => id).sort()).toEqual(ids(ann, ben))
    clock.advance({ hours: 24 })
    expect((await members.preview(invite, cleo)).body.visibleFrom).toBe(members.later(24))
    const joined = (await members.circlesOf(ben)).circles[0]?.visibleFrom
    expect((await members.preview(invite, ben)).body).toMatchObject({ visibleFrom: joined, isMember: true })
    expect(await seenBy(app, cleo)).toEqual([])
  })

  test('members see each other immediately in the first 24 hours of the circle', async ({ app, members }) => {
    const { circleId } = await makeCircle(app, [ann, ben])
    await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, ann)
    const team = await members.teamOf(ben)
    expect(team.connections).toEqual([])
    expect(team.throughCircles).toMatchObject([
      { person: { id: ann.userId, email: ann.email }, presence: { inDeebMode: true }, circleIds: [circleId] },
    ])
    expect(team.circles).toMatchObject([{ id: circleId, name: 'Backend' }])
    expect([team.newcomers, team.circleSize]).toEqual([[], 5])
  })

  test('a later newcomer and the others see each other 24 hours after joining, and all know it before', async ({
    app,
    clock,
    members,
  }) => {
    const { circleId, invite } = await makeCircle(app, [ann, ben])
    clock.advance({ hours: 24 })
    const from = members.later(24)
    expect((await members.join(invite, cleo)).body).toEqual({ circleId, visibleFrom: from })
    expect((await members.teamOf(ann)).newcomers).toMatchObject([
      { circleId, person: { id: cleo.userId }, visibleFrom: from },
    ])
    const team = await members.teamOf(cleo)
    expect([team.throughCircles, team.newcomers]).toEqual([[], []])
    expect(team.circles).toEqual([{ id: circleId, name: 'Backend', quiet: [], visibleFrom: from }])
    const [circle] = (await members.circlesOf(cleo)).circles
    expect(idsOf(circle?.people)).toEqual(ids(ann, ben))
    expect(circle?.people.map(({ visibleFrom }) => visibleFrom)).toEqual([from, from])
    clock.advance({ hours: 23, minutes: 59, seconds: 59 })
    expect(await seenBy(app, ann)).toEqual(ids(ben))
    clock.advance({ seconds: 1 })
    expect(await seenBy(app, ann)).toEqual(ids(ben, cleo))
    expect(await seenBy(app, cleo)).toEqual(ids(ann, ben))
    expect((await members.teamOf(ann)).newcomers).toEqual([])
  })

  test('two newcomers see each other when both are visible', async ({ app, clock, members }) => {
    const { invite } = await makeCircle(app, [ann])
    clock.advance({ hours: 30 })
    await members.join(invite, ben)
    clock.advance({ hours: 5 })
    await members.join(invite, cleo)
    expect((await members.teamOf(ben)).newcomers).toMatchObject([
      { person: { id: cleo.userId }, visibleFrom: members.later(24) },
    ])
    expect((await members.teamOf(cleo)).newcomers).toMatchObject([
      { person: { id: ben.userId }, visibleFrom: members.later(24) },
    ])
    clock.advance({ hours: 20 })
    expect(await seenBy(app, ben)).toEqual(ids(ann))
    clock.advance({ hours: 4 })
    expect(await seenBy(app, ben)).toEqual(ids(ann, cleo))
  })

  test('is idempotent, and rejoining after leaving counts as joining', async ({ app, clock, members }) => {
    const { circleId, invite } = await makeCircle(app, [ann, ben])
    clock.advance({ hours: 48 })
    const [circle] = (await members.circlesOf(ben)).circles
    expect((await members.join(invite, ben)).body).toEqual({ circleId, visibleFrom: circle?.visibleFrom })
    await app.call(leaveCircle, { circleId }, ben)
    expect((await members.join(invite, ben)).body).toEqual({ circleId, visibleFrom: members.later(24) })
  })

  test('refuses a sixth member where CIRCLE_SIZE is 5', async ({ app, members }) => {
    const others = await Promise.all(Array.from({ length: 4 }, () => makeUser(app)))
    const { invite } = await makeCircle(app, [ann, ...others])
    const { status, error } = await members.join(invite, ben)
    expect([status, error.code]).toEqual([409, 'circle_full'])
    expect((await members.join(invite, ann)).status).toBe(200)
  })

  test('a lower CIRCLE_SIZE removes nobody', async ({ app, clock }) => {
    const { invite } = await makeCircle(app, [ann, ben, cleo])
    const join = (user: MadeUser) => joinCircleBelow(app.db, user, { invite }, 2, clock.now())
    await expect(join(await makeUser(app))).rejects.toMatchObject({ code: 'circle_full' })
    await join(cleo)
    expect(await seenBy(app, ann)).toEqual(ids(ben, cleo))
  })

  test('has room where a member is deactivated', async ({ app, members }) => {
    const [gone = ann, ...others] = await Promise.all(Array.from({ length: 4 }, () => makeUser(app)))
    const { invite } = await makeCircle(app, [ann, gone, ...others])
    expect((await members.join(invite, ben)).status).toBe(409)
    await members.deactivate(gone)
    expect((await members.join(invite, ben)).status).toBe(200)
    expect((await members.join(invite, cleo)).error.code).toBe('circle_full')
  })

  test('answers the link of another company, an old link and no link as one that does not exist', async ({
    app,
    members,
  }) => {
    const { circleId, invite } = await makeCircle(app, [ann])
    const stranger = await makeUser(app, { email: `${uuidv7()}@elsewhere.example` })
    const alone = await makeUser(app, { email: `${uuidv7()}@gmail.com` })
    const changed = (await app.call(changeCircleLink, { circleId, isOpen: true }, ann)).body.invite ?? ''
    const tries: [string, MadeUser][] = [
      ...[stranger, alone].map((user): [string, MadeUser] => [changed, user]),
      ...[invite, '', 'x', 'null', '\u0000'].map((wrong): [string, MadeUser] => [wrong, ben]),
    ]
    for (const [wrong, user] of tries) {
      for (const answer of [await members.preview(wrong, user), await members.join(wrong, user)]) {
        expect([answer.status, answer.error.code]).toEqual([404, 'not_found'])
      }
    }
    expect((await app.call(changeCircleLink, { circleId, isOpen: false }, ann)).body).toEqual({ invite: null })
    expect((await members.join(changed, ben)).status).toBe(404)
    expect((await members.circlesOf(ann)).circles).toMatchObject([{ invite: null, people: [] }])
  })
})

describe('leave', () => {
  test('ends sight immediately, leaves no trace, and the last one out deletes the circle', async ({ app, members }) => {
    const { circleId } = await makeCircle(app, [ann, ben])
    const leave = (user: MadeUser) => app.call(leaveCircle, { circleId }, user)
    for (const user of [ben, ben, cleo]) expect((await leave(user)).body).toEqual({ left: true })
    expect([await seenBy(app, ann), await seenBy(app, ben)]).toEqual([[], []])
    expect([(await members.circlesOf(ben)).circles, (await members.teamOf(ben)).circles]).toEqual([[], []])
    expect((await app.call(readMyData, {}, ben)).body).toMatchObject({ circles: [], circle_members: [] })
    expect(await members.exists(circleId)).toBe(true)
    await leave(ann)
    expect(await members.exists(circleId)).toBe(false)
  })

  test('the keeper is the member who joined first, and it passes on', async ({ app, members }) => {
    const { circleId } = await makeCircle(app, [ann, ben, cleo])
    const keepers = async () => {
      const isKeeper = async (user: MadeUser) =>
        (await members.circlesOf(user)).circles.map((circle) => circle.isKeeper)
      return (await Promise.all([ann, ben, cleo].map(isKeeper))).flat()
    }
    expect(await keepers()).toEqual([true, false, false])
    await app.call(leaveCircle, { circleId }, ann)
    expect(await keepers()).toEqual([true, false])
    expect((await app.call(renameCircle, { circleId, name: 'Front' }, cleo)).error.code).toBe('not_found')
    expect((await app.call(renameCircle, { circleId, name: 'Front' }, ben)).body).toEqual({ name: 'Front' })
    expect((await members.circlesOf(cleo)).circles).toMatchObject([{ name: 'Front' }])
  })

  test.for(['moving to another company', 'deleting the account'])(
    '%s leaves all circles',
    async (way, { app, members }) => {
      const shared = await makeCircle(app, [ann, ben], 'Shared')
      const own = await makeCircle(app, [ann], 'Own')
      if (way.startsWith('moving')) expect(await members.move(ann)).toEqual(ids(ben))
      else await app.call(deleteAccount, { password: PASSWORD }, ann)
      expect([await members.exists(shared.circleId), await members.exists(own.circleId)]).toEqual([true, false])
      expect(await seenBy(app, ben)).toEqual([])
      expect((await members.circlesOf(ben)).circles).toMatchObject([
        { id: shared.circleId, isKeeper: true, people: [] },
      ])
    },
  )
})

describe('the keeper', () => {
  test('removes a member, who may come back by the link', async ({ app, members }) => {
    const { circleId, invite } = await makeCircle(app, [ann, ben])
    const remove = () => app.call(removeMember, { circleId, userId: ben.userId }, ann)
    expect((await remove()).body).toEqual({ removed: true })
    expect((await remove()).body).toEqual({ removed: true })
    expect([await seenBy(app, ann), await seenBy(app, ben)]).toEqual([[], []])
    expect((await members.join(invite, ben)).status).toBe(200)
  })

  test('deletes the circle by removing themself, its only member', async ({ app, members }) => {
    const { circleId } = await makeCircle(app, [ann])
    await app.call(removeMember, { circleId, userId: ann.userId }, ann)
    expect(await members.exists(circleId)).toBe(false)
  })

  test('closes the circle for all', async ({ app, members }) => {
    const { circleId, invite } = await makeCircle(app, [ann, ben, cleo])
    expect((await app.call(closeCircle, { circleId }, ben)).error.code).toBe('not_found')
    expect((await app.call(closeCircle, { circleId }, ann)).body).toEqual({ closed: true })
    expect((await app.call(closeCircle, { circleId }, ann)).error.code).toBe('not_found')
    expect((await members.join(invite, ben)).status).toBe(404)
    for (const user of [ann, ben, cleo]) expect(await seenBy(app, user)).toEqual([])
  })

  test('is the next member while the administrator has blocked the first one', async ({ app, clock, members }) => {
    const { circleId } = await makeCircle(app, [ann, ben, cleo])
    const keeps = async (user: MadeUser) => (await members.circlesOf(user)).circles[0]?.isKeeper
    await blockUser(app.db, ann.email, clock.now())
    expect([await keeps(ben), await keeps(cleo)]).toEqual([true, false])
    // Who is blocked stays a member.
    expect(idsOf((await members.circlesOf(ben)).circles[0]?.people)).toEqual(ids(ann, cleo))
    expect((await app.call(removeMember, { circleId, userId: ann.userId }, ben)).status).toBe(200)
    expect(await seenBy(app, ben)).toEqual(ids(cleo))
  })

  test('is the first member again after an unblock', async ({ app, clock, members }) => {
    await makeCircle(app, [ann, ben])
    await blockUser(app.db, ann.email, clock.now())
    await unblockUser(app.db, ann.email, clock.now())
    expect((await members.circlesOf(ben)).circles[0]?.isKeeper).toBe(false)
  })

  test('is not somebody whom the company has deactivated', async ({ app, members }) => {
    await makeCircle(app, [ann, ben])
    await members.deactivate(ann)
    expect((await members.circlesOf(ben)).circles).toMatchObject([{ isKeeper: true, people: [] }])
    expect(await seenBy(app, ben)).toEqual([])
  })
})

describe('hide', () => {
  test('threat 123: hides two people from each other in all circles, as if the other were in none', async ({
    app,
    members,
  }) => {
    const { invite } = await makeCircle(app, [ann, ben, cleo])
    await makeCircle(app, [ben, ann], 'Choir')
    expect((await members.hide(ben.userId, ann)).body).toEqual({ isHidden: true })
    expect([await seenBy(app, ann), await seenBy(app, ben)]).toEqual([ids(cleo), ids(cleo)])
    for (const [user, other] of [
      [ann, ben],
      [ben, ann],
    ] as const) {
      for (const { people } of (await members.circlesOf(user)).circles)
        expect(idsOf(people)).not.toContain(other.userId)
      expect((await members.preview(invite, user)).body.people.map(({ id }) => id)).toEqual([cleo.userId])
    }
    expect((await members.circlesOf(ann)).hidden.map(({ id }) => id)).toEqual([ben.userId])
    expect((await members.circlesOf(ben)).hidden).toEqual([])
  })

  test('a hidden newcomer is not shown', async ({ app, clock, members }) => {
    const { invite } = await makeCircle(app, [ann, ben])
    clock.advance({ hours: 25 })
    await members.join(invite, cleo)
    await members.hide(cleo.userId, ann)
    expect((await members.teamOf(ann)).newcomers).toEqual([])
    expect((await members.teamOf(ben)).newcomers).toHaveLength(1)
    await members.hide(ben.userId, cleo)
    expect((await members.teamOf(ben)).newcomers).toEqual([])
  })

  test('threat 150: is not published to a colleague who shares no circle with the person', async ({ app, members }) => {
    await makeCircle(app, [ann, cleo])
    const [own, bens, cleos] = await Promise.all([ann, ben, cleo].map((user) => openStream(app, user)))
    await members.hide(ben.userId, ann)
    await members.hide(cleo.userId, ann)
    const received = (stream: TestStream | undefined) => stream?.of('team-changed').length
    await cleos?.until((stream) => stream.of('team-changed').length === 1)
    // An event about the first one would have arrived before.
    await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, ben)
    await bens?.until((stream) => stream.of('me-changed').length === 1)
    expect([received(own), received(bens)]).toEqual([2, 0])
    for (const stream of [own, bens, cleos]) stream?.leave()
  })

  test('only the person who hid can undo it', async ({ app, members }) => {
    await makeCircle(app, [ann, ben])
    await members.hide(ben.userId, ann)
    await members.hide(ann.userId, ben, false)
    expect(await seenBy(app, ann)).toEqual([])
    await members.hide(ben.userId, ann, false)
    expect(await seenBy(app, ann)).toEqual(ids(ben))
  })

  test('is refused for anybody who is no colleague, as for nobody', async ({ app, members }) => {
    const stranger = await makeUser(app, { email: `${uuidv7()}@elsewhere.example` })
    for (const userId of [stranger.userId, ann.userId, uuidv7()]) {
      const { status, error } = await members.hide(userId, ann)
      expect([status, error.code]).toEqual([404, 'not_found'])
    }
  })

  test('lasts when the hidden person leaves the company and returns, and shows nothing about them between', async ({
    app,
    clock,
    members,
  }) => {
    await members.hide(ben.userId, ann)
    await members.move(ben)
    expect((await members.circlesOf(ann)).hidden).toEqual([])
    const policy = { freeMailDomains: new Set<string>(), companyDomains: null }
    await app.db.transaction((db) => moveProfile(db, ben, policy, clock.now()))
    expect((await members.circlesOf(ann)).hidden.map(({ id }) => id)).toEqual([ben.userId])
  })

  test('a connection is stronger, and quitting it hides where the two share a circle', async ({ app, members }) => {
    const { circleId } = await makeCircle(app, [ann, ben])
    await members.hide(ben.userId, ann)
    await makeConnection(app, ann, ben)
    const { connections, throughCircles } = await members.teamOf(ann)
    expect(connections).toMatchObject([{ person: { id: ben.userId }, circleIds: [] }])
    expect(throughCircles).toEqual([])
    await members.hide(ben.userId, ann, false)
    expect((await members.teamOf(ann)).connections).toMatchObject([{ circleIds: [circleId] }])
    await app.call(quitConnection, { connectionId: connections[0]?.id ?? '' }, ben)
    expect([await seenBy(app, ann), await seenBy(app, ben)]).toEqual([[], []])
    expect((await members.circlesOf(ben)).hidden.map(({ id }) => id)).toEqual([ann.userId])
    const { connectionId } = (await app.call(requestConnection, { userId: ben.userId }, ann)).body
    await app.call(answerRequest, { requestId: connectionId, answer: 'accepted' }, ben)
    expect(await seenBy(app, ann)).toEqual(ids(ben))
  })

  test('quitting a connection without a shared circle hides nobody', async ({ app, members }) => {
    const connectionId = await makeConnection(app, ann, ben)
    await app.call(quitConnection, { connectionId }, ann)
    expect((await members.circlesOf(ann)).hidden).toEqual([])
  })

  test('members and hidden people stay findable, and one row shows somebody who is both', async ({ app, members }) => {
    await makeCircle(app, [ann, ben])
    const find = async () => (await app.call(searchColleagues, { query: ben.email }, ann)).body.people
    expect(await find()).toHaveLength(1)
    await members.hide(ben.userId, ann)
    expect(await find()).toHaveLength(1)
  })
})

test('the download has the memberships of the user, circles without their link, and whom the user hides', async ({
  app,
  members,
}) => {
  const { circleId, invite } = await makeCircle(app, [ann, ben])
  await members.hide(cleo.userId, ann)
  await members.hide(ann.userId, ben)
  const data = (await app.call(readMyData, {}, ann)).body
  expect(data.circles).toMatchObject([{ id: circleId, name: 'Backend' }])
  expect(data.circle_members).toMatchObject([{ circle_id: circleId, user_id: ann.userId }])
  expect(data.hidden_people).toMatchObject([{ hidden_from: cleo.userId }])
  const text = JSON.stringify(data)
  for (const secret of [invite, ben.userId]) expect(text).not.toContain(secret)
})

test('threat 120: the database refuses a member of another company, and a move that keeps a circle', async ({
  app,
}) => {
  const { circleId } = await makeCircle(app, [ann])
  const stranger = await makeUser(app, { email: `${uuidv7()}@elsewhere.example` })
  const add = statement(
    'test.add-member',
    `insert into circle_members (circle_id, user_id, company_domain, joined_at, visible_from)
    values (:circleId, :userId, :domain, now(), now())`,
  )
  for (const domain of ['elsewhere.example', 'fjordlab.example']) {
    await expect(app.db.query(add, { circleId, userId: stranger.userId, domain })).rejects.toThrow('foreign key')
  }
  const moveOnly = statement(
    'test.move-only',
    "update profiles set company_domain = 'other.example' where id = :userId",
  )
  await expect(app.db.query(moveOnly, { userId: ann.userId })).rejects.toThrow('foreign key')
})
