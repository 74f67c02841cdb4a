import { closeCircle, hidePerson, joinCircle, leaveCircle, removeMember } from '@deeb/core/circles/api'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { type Agreement, agreeToSign, createSign, readSigns, revokeSign } from '@deeb/core/signs/api'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { blockUser, unblockUser } from '../admin/users.ts'
import { statement } from '../db/db.ts'
import { makeCircle } from '../testing/circles.ts'
import { addCompany } from '../testing/company.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { fetchSign, makeSign, openDisplay } from '../testing/signs.ts'
import { test as base, type FixturesOf } from '../testing/test.ts'

const test = base.extend('signs', ({ app }) => {
  const agree = (user: MadeUser, agreement: Agreement) => app.call(agreeToSign, { id: sign.id, agreement }, user)
  async function shown() {
    const { statusCode, body } = await fetchSign(app, sign.token)
    return statusCode === 200 ? JSON.parse(body) : statusCode
  }
  const dots = async () => (await shown()).dots
  async function switchOn(user: MadeUser): Promise<string> {
    return (await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, user)).body.session.id
  }
  return { agree, shown, dots, switchOn }
})

/** Ann keeps the circle. */
let ann: MadeUser
let ben: MadeUser
let cem: MadeUser
let circleId: string
let invite: string
let sign: { id: string; token: string }
test.beforeEach(async ({ app }) => {
  ;[ann, ben, cem] = await Promise.all([makeUser(app), makeUser(app), makeUser(app)])
  ;({ circleId, invite } = await makeCircle(app, [ann, ben, cem]))
  sign = await makeSign(app, ann, { circleId })
})
const nameOf = ({ email }: MadeUser) => email.split('@')[0]
const FREE = { state: 'free' }
const DEEP = { state: 'deep' }

test('a sign of a circle shows nobody until a member agrees, and only those who did', async ({ app, clock, signs }) => {
  expect(await signs.shown()).toEqual({
    ...{ state: 'unknown', since: null, until: null, dots: [] },
    asOf: clock.now().toISOString(),
  })
  await signs.switchOn(cem)
  await signs.agree(ben, 'dot')
  expect(await signs.shown()).toMatchObject({ state: 'free', dots: [FREE] })
  await signs.agree(cem, 'dot')
  expect(await signs.shown()).toMatchObject({ state: 'deep', dots: [DEEP, FREE] })
  expect((await fetchSign(app, sign.token, {}, { format: 'txt' })).body).toBe('deep 1/2\n')
  for (const { userId, email } of [ann, ben, cem]) {
    expect(JSON.stringify(await signs.shown())).not.toContain(userId)
    expect(JSON.stringify(await signs.shown())).not.toContain(nameOf({ email } as MadeUser))
  }
})

test('threat 176: where only the company signs in, a sign shows nobody while its maker is signed in nowhere', async ({
  app,
  signs,
}) => {
  const domain = 'only-by-company.com'
  const maker = await makeUser(app, { email: `maker@${domain}` })
  const member = await makeUser(app, { email: `member@${domain}` })
  const { circleId } = await makeCircle(app, [maker, member])
  sign = await makeSign(app, maker, { circleId })
  await signs.agree(member, 'dot')
  await addCompany(app.db, domain, { onlySso: true })
  expect(await signs.dots()).toEqual([FREE])
  const { userId } = maker
  await app.db.query(statement('test.sign-out', 'delete from auth.sessions where user_id = :userId'), { userId })
  expect(await signs.shown()).toMatchObject({ state: 'unknown', dots: [] })
})

test('names are shown only once every member on the sign agreed to theirs', async ({ signs }) => {
  await signs.agree(ann, 'name')
  expect(await signs.dots()).toEqual([{ ...FREE, name: nameOf(ann) }])
  await signs.agree(ben, 'dot')
  expect(await signs.dots()).toEqual([FREE, FREE])
  await signs.agree(ben, 'name')
  const names = [nameOf(ann), nameOf(ben)].sort()
  expect(await signs.dots()).toEqual(names.map((name) => ({ ...FREE, name })))
})

test('threat 175: the place of a dot without a name does not tell whose it is', async ({ app, signs }) => {
  await Promise.all([ann, ben, cem].map((user) => signs.agree(user, 'dot')))
  const places = []
  for (const user of [ann, ben, cem]) {
    const sessionId = await signs.switchOn(user)
    places.push(await signs.dots())
    await app.call(stopFocus, { sessionId }, user)
  }
  expect(places).toEqual(Array(3).fill([DEEP, FREE, FREE]))
})

test('a display follows each member on the sign, and forgets one who withdraws immediately', async ({ app, signs }) => {
  await signs.agree(ben, 'dot')
  const display = await openDisplay(app, sign.token)
  const benId = await signs.switchOn(ben)
  await display.until(({ state }) => state() === 'deep')
  await signs.agree(ben, 'nothing')
  await display.until(({ state }) => state() === 'unknown')
  const before = display.events.length
  await app.call(stopFocus, { sessionId: benId }, ben)
  await signs.agree(cem, 'dot')
  await display.until(({ state }) => state() === 'free')
  expect(display.events.length).toBe(before + 1)
  display.leave()
})

test('a keeper learns how many agreed, and each member their own agreement', async ({ app, signs }) => {
  await signs.agree(ben, 'name')
  const circles = async (user: MadeUser) => (await app.call(readSigns, {}, user)).body.circles
  expect(await circles(ann)).toMatchObject([{ isKeeper: true, sign: { agreed: 1, mine: 'nothing' } }])
  expect(await circles(ben)).toMatchObject([{ isKeeper: false, sign: { agreed: 1, mine: 'name' } }])
  expect(await circles(await makeUser(app))).toEqual([])
})

test('a new sign of a circle starts without any agreement, and a circle has one at a time', async ({ app, signs }) => {
  await signs.agree(ben, 'dot')
  const input = { label: 'Kitchen', circleId, showsName: false, showsUntil: false }
  expect((await app.call(createSign, input, ann)).error.code).toBe('too_many_signs')
  await app.call(revokeSign, { id: sign.id }, ann)
  expect(await signs.shown()).toBe(401)
  sign = await makeSign(app, ann, { circleId })
  expect(await signs.dots()).toEqual([])
})

describe('who may', () => {
  test('only the keeper makes the sign of a circle', async ({ app }) => {
    await app.call(revokeSign, { id: sign.id }, ann)
    const create = (user: MadeUser) =>
      app.call(createSign, { label: 'Office', circleId, showsName: false, showsUntil: false }, user)
    expect((await create(ben)).error.code).toBe('not_found')
    expect((await create(await makeUser(app))).error.code).toBe('not_found')
    expect((await create(ann)).status).toBe(200)
  })

  test('only the keeper revokes it, also one of another keeper', async ({ app, signs }) => {
    await app.call(revokeSign, { id: sign.id }, ben)
    expect(await signs.dots()).toEqual([])
  })

  test('only a member agrees, and only for themselves', async ({ app, signs }) => {
    expect((await signs.agree(await makeUser(app), 'dot')).error.code).toBe('not_found')
    const own = await makeSign(app, ann)
    expect((await app.call(agreeToSign, { id: own.id, agreement: 'dot' }, ann)).error.code).toBe('not_found')
    expect(await signs.dots()).toEqual([])
  })
})

describe('threat 174: an agreement ends with', () => {
  type Fixtures = Pick<FixturesOf<typeof test>, 'app' | 'signs'>
  const ENDS: Record<string, (fixtures: Fixtures) => Promise<unknown>> = {
    'its withdrawal': ({ signs }) => signs.agree(ben, 'nothing'),
    'leaving the circle': ({ app }) => app.call(leaveCircle, { circleId }, ben),
    'a removal': ({ app }) => app.call(removeMember, { circleId, userId: ben.userId }, ann),
    'hiding from a member': ({ app }) => app.call(hidePerson, { userId: cem.userId, isHidden: true }, ben),
    'a block': ({ app }) => blockUser(app.db, ben.email, app.clock.now()),
  }

  test.for(Object.keys(ENDS))('%s', async (end, { app, signs }) => {
    await signs.agree(ben, 'dot')
    await signs.agree(cem, 'dot')
    await ENDS[end]?.({ app, signs })
    expect(await signs.dots()).toEqual([FREE])
  })

  test('none of them, and does not come back by itself', async ({ app, clock, signs }) => {
    await signs.agree(ben, 'dot')
    await app.call(leaveCircle, { circleId }, ben)
    await app.call(joinCircle, { invite }, ben)
    await app.call(hidePerson, { userId: ann.userId, isHidden: true }, cem)
    await app.call(hidePerson, { userId: ann.userId, isHidden: false }, cem)
    await blockUser(app.db, ben.email, clock.now())
    await unblockUser(app.db, ben.email, clock.now())
    expect(await signs.dots()).toEqual([])
  })
})

test('somebody from whom a member hides keeps their own agreement, so nothing tells them', async ({ app, signs }) => {
  await signs.agree(cem, 'dot')
  await app.call(hidePerson, { userId: cem.userId, isHidden: true }, ben)
  expect((await app.call(readSigns, {}, cem)).body.circles[0]?.sign?.mine).toBe('dot')
})

describe('the sign of a circle ends with', () => {
  test('the circle', async ({ app, signs }) => {
    await app.call(closeCircle, { circleId }, ann)
    expect(await signs.shown()).toBe(401)
  })

  test('the membership of its maker', async ({ app, signs }) => {
    const display = await openDisplay(app, sign.token)
    await app.call(leaveCircle, { circleId }, ann)
    await display.until(({ hasEnded }) => hasEnded)
    expect(await signs.shown()).toBe(401)
    expect((await app.call(readSigns, {}, ben)).body.circles).toMatchObject([{ isKeeper: true, sign: null }])
  })
})
