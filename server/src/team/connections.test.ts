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
import { describe, expect } from 'vitest'
import { statement } from '../db/db.ts'
import { moveProfile } from '../profile/move-profile.ts'
import { newestLinkToken } from '../testing/auth-client.ts'
import { deactivate } from '../testing/company.ts'
import { type MadeUser, makeConnection, makeUser, PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { until } from '../testing/until.ts'
import { requestConnection as request } from './request-connection.ts'

const test = base
  .extend('ann', { auto: true }, ({ app }) => makeUser(app))
  .extend('bea', { auto: true }, ({ app }) => makeUser(app))
  .extend('stranger', { scope: 'file', auto: true }, ({ app }) => makeUser(app, { email: 'someone@elsewhere.example' }))
  .extend('colleagues', ({ app }) => {
    const ask = async (by: MadeUser, whom: MadeUser) => {
      const { status, body, error } = await app.call(requestConnection, { userId: whom.userId }, by)
      return { outcome: status === 200 ? body.status : error.code, id: body.connectionId }
    }
    const answer = async (by: MadeUser, requestId: string, outcome: 'accepted' | 'declined') => {
      const { status, body, error } = await app.call(answerRequest, { requestId, answer: outcome }, by)
      return status === 200 ? body.status : error.code
    }
    const quit = async (by: MadeUser, connectionId: string) =>
      (await app.call(quitConnection, { connectionId }, by)).status
    const team = async (of: MadeUser) => (await app.call(readTeam, {}, of)).body
    const connectedWith = async (of: MadeUser) => (await team(of)).connections.map(({ person }) => person.id)
    const sentBy = async (of: MadeUser) => (await team(of)).sent.map(({ id }) => id)
    const takeBack = async (by: MadeUser, requestId: string) => {
      const { status, error } = await app.call(takeBackRequest, { requestId }, by)
      return status === 200 ? 'taken back' : error.code
    }
    const requestsTo = async (of: MadeUser) => (await team(of)).requests.map(({ id }) => id)
    const finds = async (by: MadeUser, whom: MadeUser) => {
      const { body } = await app.call(searchColleagues, { query: whom.email }, by)
      return body.people.some(({ id }) => id === whom.userId)
    }
    /** Changes the email address of a user. Returns the user with the auth session that the link opened. */
    const movedTo = async (email: string, { userId, accessToken }: MadeUser): Promise<MadeUser> => {
      const { inject, auth, mailer } = app
      const headers = { authorization: `Bearer ${accessToken}` }
      const change = { email, current_password: PASSWORD }
      const asked = await inject({ method: 'PUT', url: '/auth/v1/user', headers, payload: change })
      expect(asked.statusCode).toBe(200)
      const token = await newestLinkToken({ config: auth.config, mailer }, email, 'email_change')
      const link = { type: 'email_change', token_hash: token, password: PASSWORD }
      const opened = await inject({ method: 'POST', url: '/auth/v1/verify', headers, payload: link })
      expect(opened.json().user).toMatchObject({ id: userId, email })
      return { userId, email, accessToken: opened.json().access_token, refreshToken: opened.json().refresh_token }
    }
    return { ask, answer, quit, team, connectedWith, sentBy, takeBack, requestsTo, finds, movedTo }
  })

test('a deactivated colleague is in no search, team or request, until they are active again', async ({
  app,
  ann,
  bea,
  colleagues,
}) => {
  const { id } = await colleagues.ask(ann, bea)
  const cleo = await makeUser(app)
  const connectionId = await makeConnection(app, bea, cleo)
  await deactivate(app.db, ann.userId)
  await deactivate(app.db, cleo.userId)
  expect([await colleagues.requestsTo(bea), await colleagues.connectedWith(bea)]).toEqual([[], []])
  const badge = async () => (await app.call(readHome, { timeZone: 'UTC' }, bea)).body.requests
  const counted = async () => (await app.call(readPeople, {}, bea)).body.count
  expect(await badge()).toBe(0)
  const before = await counted()
  const dan = await makeUser(app)
  expect([await colleagues.finds(dan, ann), (await colleagues.ask(dan, ann)).outcome]).toEqual([false, 'not_found'])
  expect(await colleagues.finds(dan, bea)).toBe(true)
  expect((await colleagues.ask(bea, ann)).outcome).toBe('not_found')
  for (const { userId } of [ann, cleo]) await deactivate(app.db, userId, false)
  expect([await colleagues.requestsTo(bea), await colleagues.connectedWith(bea)]).toEqual([[id], [cleo.userId]])
  // With Dan, who joined since.
  expect([await badge(), await counted()]).toEqual([1, before + 3])
  expect(await colleagues.finds(dan, ann)).toBe(true)
  expect(await colleagues.quit(bea, connectionId)).toBe(200)
})

describe('a request', () => {
  test('is pending until its receiver accepts it', async ({ ann, bea, colleagues }) => {
    const { outcome, id } = await colleagues.ask(ann, bea)
    expect(outcome).toBe('pending')
    expect(await colleagues.team(bea)).toMatchObject({
      connections: [],
      requests: [{ id, firstName: null, lastName: null, username: null, email: ann.email }],
    })
    expect(await colleagues.requestsTo(ann)).toEqual([])
    expect((await colleagues.team(ann)).sent).toMatchObject([{ id, person: { id: bea.userId, email: bea.email } }])
    expect(await colleagues.sentBy(bea)).toEqual([])
    expect([await colleagues.finds(ann, bea), await colleagues.finds(bea, ann)]).toEqual([true, false])
    expect(await colleagues.answer(bea, id, 'accepted')).toBe('accepted')
    expect(await colleagues.sentBy(ann)).toEqual([])
    expect([await colleagues.finds(ann, bea), await colleagues.finds(bea, ann)]).toEqual([false, false])
    expect(await colleagues.connectedWith(ann)).toEqual([bea.userId])
    expect(await colleagues.connectedWith(bea)).toEqual([ann.userId])
    expect(await colleagues.requestsTo(bea)).toEqual([])
  })

  test('is refused when one is pending or the users are connected', async ({ ann, bea, colleagues }) => {
    await colleagues.ask(ann, bea)
    expect((await colleagues.ask(ann, bea)).outcome).toBe('request_exists')
    expect((await colleagues.ask(bea, ann)).outcome).toBe('accepted')
    expect((await colleagues.ask(ann, bea)).outcome).toBe('connection_exists')
    expect((await colleagues.ask(bea, ann)).outcome).toBe('connection_exists')
  })

  test('accepts a pending request in the other direction, also when concurrent', async ({ people, colleagues }) => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = await people(2)
      const outcomes = (await Promise.all([colleagues.ask(one, other), colleagues.ask(other, one)])).map(
        (answer) => answer.outcome,
      )
      expect(outcomes.sort()).toEqual(['accepted', 'pending'])
      expect(await colleagues.connectedWith(one)).toEqual([other.userId])
    }
  })

  test('that was declined looks pending to its requester, and the decliner can still accept it', async ({
    ann,
    bea,
    colleagues,
  }) => {
    const { id } = await colleagues.ask(ann, bea)
    expect(await colleagues.answer(bea, id, 'declined')).toBe('declined')
    expect((await colleagues.ask(ann, bea)).outcome).toBe('request_exists')
    expect(await colleagues.sentBy(ann)).toEqual([id])
    expect([await colleagues.finds(ann, bea), await colleagues.finds(bea, ann)]).toEqual([true, true])

    expect(await colleagues.ask(bea, ann)).toEqual({ outcome: 'accepted', id })
    expect(await colleagues.connectedWith(ann)).toEqual([bea.userId])
  })

  test('that was declined and taken back can be sent again without effect, and the decliner can send a new one', async ({
    ann,
    bea,
    colleagues,
  }) => {
    const { id } = await colleagues.ask(ann, bea)
    await colleagues.answer(bea, id, 'declined')
    expect(await colleagues.takeBack(ann, id)).toBe('taken back')
    const again = await colleagues.ask(ann, bea)
    expect([again.outcome, await colleagues.sentBy(ann), await colleagues.requestsTo(bea)]).toEqual([
      'pending',
      [again.id],
      [],
    ])
    expect(await colleagues.answer(bea, again.id, 'accepted')).toBe('not_found')
    expect(await colleagues.takeBack(ann, again.id)).toBe('taken back')

    const other = await colleagues.ask(bea, ann)
    expect(other.outcome).toBe('pending')
    expect(await colleagues.requestsTo(ann)).toEqual([other.id])
    // It is a new request with a new id: late answers to the old ones do not apply.
    expect(new Set([id, again.id, other.id]).size).toBe(3)
    expect(await colleagues.answer(bea, id, 'declined')).toBe('not_found')
    expect(await colleagues.takeBack(ann, again.id)).toBe('taken back')
    expect(await colleagues.answer(ann, other.id, 'accepted')).toBe('accepted')
  })

  test('can be taken back by its requester only, until it is accepted', async ({ ann, bea, stranger, colleagues }) => {
    const { id } = await colleagues.ask(ann, bea)
    for (const person of [bea, stranger]) expect(await colleagues.takeBack(person, id)).toBe('taken back')
    expect(await colleagues.requestsTo(bea)).toEqual([id])
    expect([await colleagues.takeBack(ann, id), await colleagues.takeBack(ann, id)]).toEqual([
      'taken back',
      'taken back',
    ])
    expect([await colleagues.sentBy(ann), await colleagues.requestsTo(bea)]).toEqual([[], []])
    expect(await colleagues.answer(bea, id, 'accepted')).toBe('not_found')
    expect(await colleagues.finds(bea, ann)).toBe(true)

    const again = await colleagues.ask(ann, bea)
    await colleagues.answer(bea, again.id, 'accepted')
    expect(await colleagues.takeBack(ann, again.id)).toBe('connection_exists')
    expect(await colleagues.connectedWith(ann)).toEqual([bea.userId])
  })

  test('that is accepted and taken back concurrently has one of the two outcomes', async ({ people, colleagues }) => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = await people(2)
      const { id } = await colleagues.ask(one, other)
      const outcomes = await Promise.all([colleagues.takeBack(one, id), colleagues.answer(other, id, 'accepted')])
      const isConnected = (await colleagues.connectedWith(one)).length === 1
      expect(outcomes).toEqual(isConnected ? ['connection_exists', 'accepted'] : ['taken back', 'not_found'])
    }
  })

  test('threat 99: can be sent to the same person three times a day, declined or not', async ({
    app,
    ann,
    bea,
    stranger,
    colleagues,
  }) => {
    const cleo = await makeUser(app)
    const outcomes = async (receiver: MadeUser) => {
      const { outcome, id } = await colleagues.ask(ann, receiver)
      return outcome === 'pending' ? await colleagues.takeBack(ann, id) : outcome
    }
    const first = await colleagues.ask(ann, bea)
    await colleagues.answer(bea, first.id, 'declined')
    await colleagues.takeBack(ann, first.id)
    expect(await outcomes(cleo)).toBe('taken back')
    for (const receiver of [bea, cleo, bea, cleo]) expect(await outcomes(receiver)).toBe('taken back')
    for (const receiver of [bea, cleo]) expect(await outcomes(receiver)).toBe('too_many_attempts')
    // A refused request does not count.
    for (let times = 0; times < 5; times++) expect(await outcomes(stranger)).toBe('not_found')
    expect(await outcomes(await makeUser(app))).toBe('taken back')
    app.clock.advance({ hours: 9 })
    for (const receiver of [bea, cleo]) {
      expect([await outcomes(receiver), await outcomes(receiver)]).toEqual(['taken back', 'too_many_attempts'])
    }
  })

  test('threat 90: stays declined when its requester leaves the company and returns', async ({
    app,
    ann,
    bea,
    colleagues,
  }) => {
    const { id } = await colleagues.ask(ann, bea)
    await colleagues.answer(bea, id, 'declined')
    const away = await colleagues.movedTo(`${ann.userId}@mailboxes.example`, ann)
    expect((await colleagues.ask(away, bea)).outcome).toBe('not_found')
    expect((await app.call(readMyData, {}, away)).body.team_connections).toEqual([])
    const back = await colleagues.movedTo(ann.email, away)
    expect([await colleagues.sentBy(back), await colleagues.finds(back, bea)]).toEqual([[], true])
    expect((await colleagues.ask(back, bea)).outcome).toBe('pending')
    expect([await colleagues.sentBy(back), await colleagues.requestsTo(bea)]).toEqual([[expect.anything()], []])
  })

  test('is answered once by its receiver only, and the answer is idempotent', async ({
    app,
    ann,
    bea,
    stranger,
    colleagues,
  }) => {
    const { id } = await colleagues.ask(ann, bea)
    const other = await makeUser(app)
    for (const person of [ann, other, stranger])
      expect(await colleagues.answer(person, id, 'accepted')).toBe('not_found')
    const answers = await Promise.all([1, 2, 3].map(() => colleagues.answer(bea, id, 'accepted')))
    expect(answers).toEqual(['accepted', 'accepted', 'accepted'])
    expect(await colleagues.answer(bea, id, 'declined')).toBe('not_found')
    expect(await colleagues.connectedWith(ann)).toEqual([bea.userId])
  })

  test('is only for colleagues: all other users are not found (user enumeration)', async ({
    app,
    ann,
    stranger,
    colleagues,
  }) => {
    const nobody = { ...ann, userId: uuidv7() }
    const boxes = ['gmail.com', 'gmail.com'].map((host) => `${uuidv7()}@${host}`)
    const [one, other] = [
      await makeUser(app, { email: boxes[0] ?? '' }),
      await makeUser(app, { email: boxes[1] ?? '' }),
    ]
    const wrong: [MadeUser, MadeUser][] = [
      [ann, ann],
      [ann, nobody],
      [ann, stranger],
      [stranger, ann],
      [one, other],
      [ann, one],
    ]
    for (const [by, whom] of wrong) expect((await colleagues.ask(by, whom)).outcome).toBe('not_found')
    expect(await colleagues.finds(one, other)).toBe(false)
  })
})

describe('a connection', () => {
  test('is quit by either side only', async ({ app, ann, bea, stranger, colleagues }) => {
    for (const by of [ann, bea]) {
      const id = await makeConnection(app, ann, bea)
      expect(await colleagues.quit(stranger, id)).toBe(200)
      expect(await colleagues.connectedWith(ann)).toEqual([bea.userId])
      expect(await colleagues.quit(by, id)).toBe(200)
      expect(await colleagues.connectedWith(ann)).toEqual([])
      expect(await colleagues.connectedWith(bea)).toEqual([])
      expect(await colleagues.quit(by, id)).toBe(200)
    }
    expect((await colleagues.ask(ann, bea)).outcome).toBe('pending')
  })

  test('with a new id is not affected by a late quit of the old one', async ({ app, ann, bea, colleagues }) => {
    const id = await makeConnection(app, ann, bea)
    await colleagues.quit(ann, id)
    await makeConnection(app, bea, ann)
    await colleagues.quit(ann, id)
    expect(await colleagues.connectedWith(ann)).toEqual([bea.userId])
  })

  test('shows the start of deeb mode', async ({ app, ann, bea, colleagues }) => {
    await makeConnection(app, bea, ann)
    const [before] = (await colleagues.team(ann)).connections
    expect(before?.presence).toMatchObject({ inDeebMode: false, since: null })
    const started = await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, bea)
    const [after] = (await colleagues.team(ann)).connections
    expect(after?.presence).toMatchObject({ inDeebMode: true, since: started.body.session.startedAt })
    expect(await colleagues.team(bea)).toMatchObject({ openSession: started.body.session })
  })

  test('ends with a change of company, also during a concurrent request', async ({ app, people, colleagues }) => {
    const { auth, db } = app
    const policy = await auth.companyPolicy()
    for (let round = 0; round < 10; round++) {
      const [one, other] = await people(2)
      const moved = { userId: one.userId, email: `${one.userId}@elsewhere.example` }
      await Promise.all([
        colleagues.ask(other, one),
        db.transaction((db) => moveProfile(db, moved, policy, app.clock.now())),
      ])
      expect(await colleagues.requestsTo(one)).toEqual([])
      expect((await colleagues.ask(other, one)).outcome).toBe('not_found')
    }
  })
})

test('a change of company waits for a concurrent request and deletes it', async ({ app, ann, bea, colleagues }) => {
  const { auth, clock, db } = app
  const policy = await auth.companyPolicy()
  const moved = { userId: ann.userId, email: `${ann.userId}@elsewhere.example` }
  const waiting = statement('test.waiting', 'select from pg_locks where not granted')
  let moving: Promise<unknown> | undefined
  await db.transaction(async (open) => {
    await request(open, bea, { userId: ann.userId }, clock.now())
    moving = db.transaction((db) => moveProfile(db, moved, policy, app.clock.now()))
    // The embedded engine serializes them anyway.
    if (db.engine === 'postgresql') await until(async () => (await open.query(waiting)).length > 0)
  })
  await moving
  expect(await colleagues.requestsTo(ann)).toEqual([])
})

test('the database rejects a second row per pair, and a connection with oneself', async ({ app, ann, bea }) => {
  await makeConnection(app, ann, bea)
  await expect(makeConnection(app, bea, ann)).rejects.toThrow(/team_connections_one_per_pair/)
  await expect(makeConnection(app, ann, ann)).rejects.toThrow(/team_connections_not_oneself/)
})
