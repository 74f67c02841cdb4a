import { closeCircle, hidePerson, joinCircle, leaveCircle, removeMember } from '@deeb/core/circles/api'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { type Agreement, agreeToSign, createSign, readSigns, revokeSign } from '@deeb/core/signs/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { blockUser, unblockUser } from '../admin/users.ts'
import { statement } from '../db/db.ts'
import { makeCircle } from '../testing/circles.ts'
import { addCompany } from '../testing/company.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { look, makeSign, openDisplay } from '../testing/signs.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

let testApp: TestApp
/** Ann keeps the circle. */
let ann: MadeUser
let ben: MadeUser
let cem: MadeUser
let circleId: string
let invite: string
let sign: { id: string; token: string }
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  ;[ann, ben, cem] = await Promise.all([makeUser(testApp), makeUser(testApp), makeUser(testApp)])
  ;({ circleId, invite } = await makeCircle(testApp, [ann, ben, cem]))
  sign = await makeSign(testApp, ann, { circleId })
})

const agree = (user: MadeUser, agreement: Agreement) => testApp.call(agreeToSign, { id: sign.id, agreement }, user)
const nameOf = ({ email }: MadeUser) => email.split('@')[0]
async function shown() {
  const { statusCode, body } = await look(testApp, sign.token)
  return statusCode === 200 ? JSON.parse(body) : statusCode
}
const dots = async () => (await shown()).dots
async function switchOn(user: MadeUser): Promise<string> {
  return (await testApp.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, user)).body.session.id
}
const FREE = { state: 'free' }
const DEEP = { state: 'deep' }

test('a sign of a circle shows nobody until a member agrees, and only those who did', async () => {
  expect(await shown()).toEqual({
    ...{ state: 'unknown', since: null, until: null, dots: [] },
    asOf: testApp.clock.now().toISOString(),
  })
  await switchOn(cem)
  await agree(ben, 'dot')
  expect(await shown()).toMatchObject({ state: 'free', dots: [FREE] })
  await agree(cem, 'dot')
  expect(await shown()).toMatchObject({ state: 'deep', dots: [DEEP, FREE] })
  expect((await look(testApp, sign.token, {}, { format: 'txt' })).body).toBe('deep 1/2\n')
  for (const { userId, email } of [ann, ben, cem]) {
    expect(JSON.stringify(await shown())).not.toContain(userId)
    expect(JSON.stringify(await shown())).not.toContain(nameOf({ email } as MadeUser))
  }
})

test('threat 176: where only the company signs in, a sign shows nobody while its maker is signed in nowhere', async () => {
  const domain = 'only-by-company.com'
  const maker = await makeUser(testApp, { email: `maker@${domain}` })
  const member = await makeUser(testApp, { email: `member@${domain}` })
  const { circleId } = await makeCircle(testApp, [maker, member])
  sign = await makeSign(testApp, maker, { circleId })
  await agree(member, 'dot')
  await addCompany(testApp.db, domain, { onlySso: true })
  expect(await dots()).toEqual([FREE])
  const { userId } = maker
  await testApp.db.query(statement('test.sign-out', 'delete from auth.sessions where user_id = :userId'), { userId })
  expect(await shown()).toMatchObject({ state: 'unknown', dots: [] })
})

test('names are shown only once every member on the sign agreed to theirs', async () => {
  await agree(ann, 'name')
  expect(await dots()).toEqual([{ ...FREE, name: nameOf(ann) }])
  await agree(ben, 'dot')
  expect(await dots()).toEqual([FREE, FREE])
  await agree(ben, 'name')
  const names = [nameOf(ann), nameOf(ben)].sort()
  expect(await dots()).toEqual(names.map((name) => ({ ...FREE, name })))
})

test('threat 175: the place of a dot without a name does not tell whose it is', async () => {
  await Promise.all([ann, ben, cem].map((user) => agree(user, 'dot')))
  const places = []
  for (const user of [ann, ben, cem]) {
    const sessionId = await switchOn(user)
    places.push(await dots())
    await testApp.call(stopFocus, { sessionId }, user)
  }
  expect(places).toEqual(Array(3).fill([DEEP, FREE, FREE]))
})

test('a display follows each member on the sign, and forgets one who withdraws immediately', async () => {
  await agree(ben, 'dot')
  const display = await openDisplay(testApp, sign.token)
  const benId = await switchOn(ben)
  await display.until(({ state }) => state() === 'deep')
  await agree(ben, 'nothing')
  await display.until(({ state }) => state() === 'unknown')
  const before = display.events.length
  await testApp.call(stopFocus, { sessionId: benId }, ben)
  await agree(cem, 'dot')
  await display.until(({ state }) => state() === 'free')
  expect(display.events.length).toBe(before + 1)
  display.leave()
})

test('a keeper learns how many agreed, and each member their own agreement', async () => {
  await agree(ben, 'name')
  const circles = async (user: MadeUser) => (await testApp.call(readSigns, {}, user)).body.circles
  expect(await circles(ann)).toMatchObject([{ isKeeper: true, sign: { agreed: 1, mine: 'nothing' } }])
  expect(await circles(ben)).toMatchObject([{ isKeeper: false, sign: { agreed: 1, mine: 'name' } }])
  expect(await circles(await makeUser(testApp))).toEqual([])
})

test('a new sign of a circle starts without any agreement, and a circle has one at a time', async () => {
  await agree(ben, 'dot')
  const input = { label: 'Kitchen', circleId, showsName: false, showsUntil: false }
  expect((await testApp.call(createSign, input, ann)).error.code).toBe('too_many_signs')
  await testApp.call(revokeSign, { id: sign.id }, ann)
  expect(await shown()).toBe(401)
  sign = await makeSign(testApp, ann, { circleId })
  expect(await dots()).toEqual([])
})

describe('who may', () => {
  test('only the keeper makes the sign of a circle', async () => {
    await testApp.call(revokeSign, { id: sign.id }, ann)
    const create = (user: MadeUser) =>
      testApp.call(createSign, { label: 'Office', circleId, showsName: false, showsUntil: false }, user)
    expect((await create(ben)).error.code).toBe('not_found')
    expect((await create(await makeUser(testApp))).error.code).toBe('not_found')
    expect((await create(ann)).status).toBe(200)
  })

  test('only the keeper revokes it, also one of another keeper', async () => {
    await testApp.call(revokeSign, { id: sign.id }, ben)
    expect(await dots()).toEqual([])
  })

  test('only a member agrees, and only for themselves', async () => {
    expect((await agree(await makeUser(testApp), 'dot')).error.code).toBe('not_found')
    const own = await makeSign(testApp, ann)
    expect((await testApp.call(agreeToSign, { id: own.id, agreement: 'dot' }, ann)).error.code).toBe('not_found')
    expect(await dots()).toEqual([])
  })
})

describe('threat 174: an agreement ends with', () => {
  const ENDS: Record<string, () => Promise<unknown>> = {
    'its withdrawal': () => agree(ben, 'nothing'),
    'leaving the circle': () => testApp.call(leaveCircle, { circleId }, ben),
    'a removal': () => testApp.call(removeMember, { circleId, userId: ben.userId }, ann),
    'hiding from a member': () => testApp.call(hidePerson, { userId: cem.userId, isHidden: true }, ben),
    'a block': () => blockUser(testApp.db, ben.email, testApp.clock.now()),
  }

  test.each(Object.keys(ENDS))('%s', async (end) => {
    await agree(ben, 'dot')
    await agree(cem, 'dot')
    await ENDS[end]?.()
    expect(await dots()).toEqual([FREE])
  })

  test('none of them, and does not come back by itself', async () => {
    await agree(ben, 'dot')
    await testApp.call(leaveCircle, { circleId }, ben)
    await testApp.call(joinCircle, { invite }, ben)
    await testApp.call(hidePerson, { userId: ann.userId, isHidden: true }, cem)
    await testApp.call(hidePerson, { userId: ann.userId, isHidden: false }, cem)
    await blockUser(testApp.db, ben.email, testApp.clock.now())
    await unblockUser(testApp.db, ben.email, testApp.clock.now())
    expect(await dots()).toEqual([])
  })
})

test('somebody from whom a member hides keeps their own agreement, so nothing tells them', async () => {
  await agree(cem, 'dot')
  await testApp.call(hidePerson, { userId: cem.userId, isHidden: true }, ben)
  expect((await testApp.call(readSigns, {}, cem)).body.circles[0]?.sign?.mine).toBe('dot')
})

describe('the sign of a circle ends with', () => {
  test('the circle', async () => {
    await testApp.call(closeCircle, { circleId }, ann)
    expect(await shown()).toBe(401)
  })

  test('the membership of its maker', async () => {
    const display = await openDisplay(testApp, sign.token)
    await testApp.call(leaveCircle, { circleId }, ann)
    await display.until(({ hasEnded }) => hasEnded)
    expect(await shown()).toBe(401)
    expect((await testApp.call(readSigns, {}, ben)).body.circles).toMatchObject([{ isKeeper: true, sign: null }])
  })
})
