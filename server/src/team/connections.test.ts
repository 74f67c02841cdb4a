import { readMyData } from '@deeb/core/account/api'
import { startFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import {
  answerRequest,
  quitConnection,
  readPeople,
  readTeam,
  requestConnection,
  searchColleagues,
  takeBackRequest,
} from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { moveProfile } from '../profile/move-profile.ts'
import { newestLinkToken } from '../testing/auth-client.ts'
import { deactivate } from '../testing/company.ts'
import { type MadeUser, makeConnection, makeUser, PASSWORD } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { until } from '../testing/until.ts'
import { requestConnection as request } from './request-connection.ts'

let testApp: TestApp
let ann: MadeUser
let bea: MadeUser
let stranger: MadeUser
beforeAll(async () => {
  testApp = await startTestApp()
  stranger = await makeUser(testApp, { email: 'someone@elsewhere.example' })
})
afterAll(() => testApp.close())
beforeEach(async () => {
  ann = await makeUser(testApp)
  bea = await makeUser(testApp)
})

const ask = async (by: MadeUser, whom: MadeUser) => {
  const { status, body, error } = await testApp.call(requestConnection, { userId: whom.userId }, by)
  return { outcome: status === 200 ? body.status : error.code, id: body.connectionId }
}
const answer = async (by: MadeUser, requestId: string, outcome: 'accepted' | 'declined') => {
  const { status, body, error } = await testApp.call(answerRequest, { requestId, answer: outcome }, by)
  return status === 200 ? body.status : error.code
}
const quit = async (by: MadeUser, connectionId: string) =>
  (await testApp.call(quitConnection, { connectionId }, by)).status
const team = async (of: MadeUser) => (await testApp.call(readTeam, {}, of)).body
const connectedWith = async (of: MadeUser) => (await team(of)).connections.map(({ person }) => person.id)
const sentBy = async (of: MadeUser) => (await team(of)).sent.map(({ id }) => id)
const takeBack = async (by: MadeUser, requestId: string) => {
  const { status, error } = await testApp.call(takeBackRequest, { requestId }, by)
  return status === 200 ? 'taken back' : error.code
}
const requestsTo = async (of: MadeUser) => (await team(of)).requests.map(({ id }) => id)
const finds = async (by: MadeUser, whom: MadeUser) => {
  const { body } = await testApp.call(searchColleagues, { query: whom.email }, by)
  return body.people.some(({ id }) => id === whom.userId)
}
/** Changes the email address of a user. Returns the user with the auth session that the link opened. */
const movedTo = async (email: string, { userId, accessToken }: MadeUser): Promise<MadeUser> => {
  const { app, auth, mailer } = testApp
  const headers = { authorization: `Bearer ${accessToken}` }
  const change = { email, current_password: PASSWORD }
  const asked = await app.inject({ method: 'PUT', url: '/auth/v1/user', headers, payload: change })
  expect(asked.statusCode).toBe(200)
  const token = await newestLinkToken({ config: auth.config, mailer }, email, 'email_change')
  const link = { type: 'email_change', token_hash: token, password: PASSWORD }
  const opened = await app.inject({ method: 'POST', url: '/auth/v1/verify', headers, payload: link })
  expect(opened.json().user).toMatchObject({ id: userId, email })
  return { userId, email, accessToken: opened.json().access_token, refreshToken: opened.json().refresh_token }
}

test('a deactivated colleague is in no search, team or request, until they are active again', async () => {
  const { id } = await ask(ann, bea)
  const cleo = await makeUser(testApp)
  const connectionId = await makeConnection(testApp, bea, cleo)
  await deactivate(testApp.db, ann.userId)
  await deactivate(testApp.db, cleo.userId)
  expect([await requestsTo(bea), await connectedWith(bea)]).toEqual([[], []])
  const badge = async () => (await testApp.call(readHome, { timeZone: 'UTC' }, bea)).body.requests
  const counted = async () => (await testApp.call(readPeople, {}, bea)).body.count
  expect(await badge()).toBe(0)
  const before = await counted()
  const dan = await makeUser(testApp)
  expect([await finds(dan, ann), (await ask(dan, ann)).outcome]).toEqual([false, 'not_found'])
  expect(await finds(dan, bea)).toBe(true)
  expect((await ask(bea, ann)).outcome).toBe('not_found')
  for (const { userId } of [ann, cleo]) await deactivate(testApp.db, userId, false)
  expect([await requestsTo(bea), await connectedWith(bea)]).toEqual([[id], [cleo.userId]])
  // With Dan, who joined since.
  expect([await badge(), await counted()]).toEqual([1, before + 3])
  expect(await finds(dan, ann)).toBe(true)
  expect(await quit(bea, connectionId)).toBe(200)
})

describe('a request', () => {
  test('is pending until its receiver accepts it', async () => {
    const { outcome, id } = await ask(ann, bea)
    expect(outcome).toBe('pending')
    expect(await team(bea)).toMatchObject({
      connections: [],
      requests: [{ id, firstName: null, lastName: null, username: null, email: ann.email }],
    })
    expect(await requestsTo(ann)).toEqual([])
    expect((await team(ann)).sent).toMatchObject([{ id, person: { id: bea.userId, email: bea.email } }])
    expect(await sentBy(bea)).toEqual([])
    expect([await finds(ann, bea), await finds(bea, ann)]).toEqual([true, false])
    expect(await answer(bea, id, 'accepted')).toBe('accepted')
    expect(await sentBy(ann)).toEqual([])
    expect([await finds(ann, bea), await finds(bea, ann)]).toEqual([false, false])
    expect(await connectedWith(ann)).toEqual([bea.userId])
    expect(await connectedWith(bea)).toEqual([ann.userId])
    expect(await requestsTo(bea)).toEqual([])
  })

  test('is refused when one is pending or the users are connected', async () => {
    await ask(ann, bea)
    expect((await ask(ann, bea)).outcome).toBe('request_exists')
    expect((await ask(bea, ann)).outcome).toBe('accepted')
    expect((await ask(ann, bea)).outcome).toBe('connection_exists')
    expect((await ask(bea, ann)).outcome).toBe('connection_exists')
  })

  test('accepts a pending request in the other direction, also when concurrent', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = [await makeUser(testApp), await makeUser(testApp)]
      const outcomes = (await Promise.all([ask(one, other), ask(other, one)])).map((answer) => answer.outcome)
      expect(outcomes.sort()).toEqual(['accepted', 'pending'])
      expect(await connectedWith(one)).toEqual([other.userId])
    }
  })

  test('that was declined looks pending to its requester, and the decliner can still accept it', async () => {
    const { id } = await ask(ann, bea)
    expect(await answer(bea, id, 'declined')).toBe('declined')
    expect((await ask(ann, bea)).outcome).toBe('request_exists')
    expect(await sentBy(ann)).toEqual([id])
    expect([await finds(ann, bea), await finds(bea, ann)]).toEqual([true, true])

    expect(await ask(bea, ann)).toEqual({ outcome: 'accepted', id })
    expect(await connectedWith(ann)).toEqual([bea.userId])
  })

  test('that was declined and taken back can be sent again without effect, and the decliner can send a new one', async () => {
    const { id } = await ask(ann, bea)
    await answer(bea, id, 'declined')
    expect(await takeBack(ann, id)).toBe('taken back')
    const again = await ask(ann, bea)
    expect([again.outcome, await sentBy(ann), await requestsTo(bea)]).toEqual(['pending', [again.id], []])
    expect(await answer(bea, again.id, 'accepted')).toBe('not_found')
    expect(await takeBack(ann, again.id)).toBe('taken back')

    const other = await ask(bea, ann)
    expect(other.outcome).toBe('pending')
    expect(await requestsTo(ann)).toEqual([other.id])
    // It is a new request with a new id: late answers to the old ones do not apply.
    expect(new Set([id, again.id, other.id]).size).toBe(3)
    expect(await answer(bea, id, 'declined')).toBe('not_found')
    expect(await takeBack(ann, again.id)).toBe('taken back')
    expect(await answer(ann, other.id, 'accepted')).toBe('accepted')
  })

  test('can be taken back by its requester only, until it is accepted', async () => {
    const { id } = await ask(ann, bea)
    for (const person of [bea, stranger]) expect(await takeBack(person, id)).toBe('taken back')
    expect(await requestsTo(bea)).toEqual([id])
    expect([await takeBack(ann, id), await takeBack(ann, id)]).toEqual(['taken back', 'taken back'])
    expect([await sentBy(ann), await requestsTo(bea)]).toEqual([[], []])
    expect(await answer(bea, id, 'accepted')).toBe('not_found')
    expect(await finds(bea, ann)).toBe(true)

    const again = await ask(ann, bea)
    await answer(bea, again.id, 'accepted')
    expect(await takeBack(ann, again.id)).toBe('connection_exists')
    expect(await connectedWith(ann)).toEqual([bea.userId])
  })

  test('that is accepted and taken back concurrently has one of the two outcomes', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = [await makeUser(testApp), await makeUser(testApp)]
      const { id } = await ask(one, other)
      const outcomes = await Promise.all([takeBack(one, id), answer(other, id, 'accepted')])
      const isConnected = (await connectedWith(one)).length === 1
      expect(outcomes).toEqual(isConnected ? ['connection_exists', 'accepted'] : ['taken back', 'not_found'])
    }
  })

  test('threat 99: can be sent to the same person three times a day, declined or not', async () => {
    const cleo = await makeUser(testApp)
    const outcomes = async (receiver: MadeUser) => {
      const { outcome, id } = await ask(ann, receiver)
      return outcome === 'pending' ? await takeBack(ann, id) : outcome
    }
    const first = await ask(ann, bea)
    await answer(bea, first.id, 'declined')
    await takeBack(ann, first.id)
    expect(await outcomes(cleo)).toBe('taken back')
    for (const receiver of [bea, cleo, bea, cleo]) expect(await outcomes(receiver)).toBe('taken back')
    for (const receiver of [bea, cleo]) expect(await outcomes(receiver)).toBe('too_many_attempts')
    // A refused request does not count.
    for (let times = 0; times < 5; times++) expect(await outcomes(stranger)).toBe('not_found')
    expect(await outcomes(await makeUser(testApp))).toBe('taken back')
    testApp.clock.advance({ hours: 9 })
    for (const receiver of [bea, cleo]) {
      expect([await outcomes(receiver), await outcomes(receiver)]).toEqual(['taken back', 'too_many_attempts'])
    }
  })

  test('threat 90: stays declined when its requester leaves the company and returns', async () => {
    const { id } = await ask(ann, bea)
    await answer(bea, id, 'declined')
    const away = await movedTo(`${ann.userId}@mailboxes.example`, ann)
    expect((await ask(away, bea)).outcome).toBe('not_found')
    expect((await testApp.call(readMyData, {}, away)).body.team_connections).toEqual([])
    const back = await movedTo(ann.email, away)
    expect([await sentBy(back), await finds(back, bea)]).toEqual([[], true])
    expect((await ask(back, bea)).outcome).toBe('pending')
    expect([await sentBy(back), await requestsTo(bea)]).toEqual([[expect.anything()], []])
  })

  test('is answered once by its receiver only, and the answer is idempotent', async () => {
    const { id } = await ask(ann, bea)
    const other = await makeUser(testApp)
    for (const person of [ann, other, stranger]) expect(await answer(person, id, 'accepted')).toBe('not_found')
    const answers = await Promise.all([1, 2, 3].map(() => answer(bea, id, 'accepted')))
    expect(answers).toEqual(['accepted', 'accepted', 'accepted'])
    expect(await answer(bea, id, 'declined')).toBe('not_found')
    expect(await connectedWith(ann)).toEqual([bea.userId])
  })

  test('is only for colleagues: all other users are not found (user enumeration)', async () => {
    const nobody = { ...ann, userId: uuidv7() }
    const boxes = ['gmail.com', 'gmail.com'].map((host) => `${uuidv7()}@${host}`)
    const [one, other] = [
      await makeUser(testApp, { email: boxes[0] ?? '' }),
      await makeUser(testApp, { email: boxes[1] ?? '' }),
    ]
    const wrong: [MadeUser, MadeUser][] = [
      [ann, ann],
      [ann, nobody],
      [ann, stranger],
      [stranger, ann],
      [one, other],
      [ann, one],
    ]
    for (const [by, whom] of wrong) expect((await ask(by, whom)).outcome).toBe('not_found')
    expect(await finds(one, other)).toBe(false)
  })
})

describe('a connection', () => {
  test('is quit by either side only', async () => {
    for (const by of [ann, bea]) {
      const id = await makeConnection(testApp, ann, bea)
      expect(await quit(stranger, id)).toBe(200)
      expect(await connectedWith(ann)).toEqual([bea.userId])
      expect(await quit(by, id)).toBe(200)
      expect(await connectedWith(ann)).toEqual([])
      expect(await connectedWith(bea)).toEqual([])
      expect(await quit(by, id)).toBe(200)
    }
    expect((await ask(ann, bea)).outcome).toBe('pending')
  })

  test('with a new id is not affected by a late quit of the old one', async () => {
    const id = await makeConnection(testApp, ann, bea)
    await quit(ann, id)
    await makeConnection(testApp, bea, ann)
    await quit(ann, id)
    expect(await connectedWith(ann)).toEqual([bea.userId])
  })

  test('shows the start of deeb mode', async () => {
    await makeConnection(testApp, bea, ann)
    const [before] = (await team(ann)).connections
    expect(before?.presence).toMatchObject({ inDeebMode: false, since: null })
    const started = await testApp.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, bea)
    const [after] = (await team(ann)).connections
    expect(after?.presence).toMatchObject({ inDeebMode: true, since: started.body.session.startedAt })
    expect(await team(bea)).toMatchObject({ openSession: started.body.session })
  })

  test('ends with a change of company, also during a concurrent request', async () => {
    const { auth, db } = testApp
    const policy = await auth.companyPolicy()
    for (let round = 0; round < 10; round++) {
      const [one, other] = [await makeUser(testApp), await makeUser(testApp)]
      const moved = { userId: one.userId, email: `${one.userId}@elsewhere.example` }
      await Promise.all([ask(other, one), db.transaction((db) => moveProfile(db, moved, policy, testApp.clock.now()))])
      expect(await requestsTo(one)).toEqual([])
      expect((await ask(other, one)).outcome).toBe('not_found')
    }
  })
})

test('a change of company waits for a concurrent request and deletes it', async () => {
  const { auth, clock, db } = testApp
  const policy = await auth.companyPolicy()
  const moved = { userId: ann.userId, email: `${ann.userId}@elsewhere.example` }
  const waiting = statement('test.waiting', 'select from pg_locks where not granted')
  let moving: Promise<string[]> | undefined
  await db.transaction(async (open) => {
    await request(open, bea, { userId: ann.userId }, clock.now())
    moving = db.transaction((db) => moveProfile(db, moved, policy, testApp.clock.now()))
    // The embedded engine serializes them anyway.
    if (db.engine === 'postgresql') await until(async () => (await open.query(waiting)).length > 0)
  })
  await moving
  expect(await requestsTo(ann)).toEqual([])
})

test('the database rejects a second row per pair, and a connection with oneself', async () => {
  await makeConnection(testApp, ann, bea)
  await expect(makeConnection(testApp, bea, ann)).rejects.toThrow(/team_connections_one_per_pair/)
  await expect(makeConnection(testApp, ann, ann)).rejects.toThrow(/team_connections_not_oneself/)
})
