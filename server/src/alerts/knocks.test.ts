import { readMyData } from '@deeb/core/account/api'
import { readAlerts } from '@deeb/core/alerts/api'
import { allowKnocks, answerKnock, type KnockAnswer, knock, seeAnswer } from '@deeb/core/alerts/knock-api'
import { hidePerson, leaveCircle } from '@deeb/core/circles/api'
import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { quitConnection } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, inject } from 'vitest'
import { blockUser } from '../admin/users.ts'
import { statement } from '../db/db.ts'
import { makeCircle } from '../testing/circles.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makeUser } from '../testing/make.ts'
import { deliverPushes, subscribe } from '../testing/push.ts'
import { test as base } from '../testing/test.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { withoutLimits } from '../testing/without-limits.ts'
import { createDescribePush } from './describe-push.ts'
import { forgetKnocks } from './knocks.ts'

/** Calls about knocks on one server. */
function knocksOn(app: TestApp) {
  return {
    allow: async (id: string, by: MadeUser, isAllowed = true) =>
      (await app.call(allowKnocks, { id, isAllowed }, by)).status,
    knock: async (by: MadeUser, at: MadeUser) => {
      const { status, error } = await app.call(knock, { userId: at.userId }, by)
      return status === 200 ? 'sent' : error.code
    },
    answer: (by: MadeUser, to: MadeUser, answer: KnockAnswer) =>
      app.call(answerKnock, { userId: to.userId, answer }, by),
    see: (by: MadeUser, of: MadeUser) => app.call(seeAnswer, { userId: of.userId }, by),
    read: async (who: MadeUser) => {
      const { knocks } = (await app.call(readAlerts, {}, who)).body
      return { ...knocks, received: knocks?.received.map(({ id }) => id) }
    },
    on: async (person: MadeUser) => {
      const sessionId = uuidv7()
      await app.call(startFocus, { sessionId, timeZone: 'UTC' }, person)
      return { sessionId, off: () => app.call(stopFocus, { sessionId }, person) }
    },
    presses: async (person: MadeUser) => (await app.call(readHome, { timeZone: 'UTC' }, person)).body.presses,
    deliver: () => deliverPushes(app, createDescribePush(app.db, 50)),
  }
}

const test = base
  .extend('settings', { scope: 'file' }, { PUSH: 'local' })
  .extend('stores', { scope: 'file' }, { callLimitStore: withoutLimits() })
  .extend('door', ({ app }) => knocksOn(app))

let ann: MadeUser
let ben: MadeUser
let connectionId: string

/** Ann and Ben are connected, and Ann is in deeb mode. She has allowed nobody. */
test.beforeEach(async ({ app, clock, door }) => {
  clock.advance({ hours: 30 })
  ann = await makeUser(app, { email: `ann.meyer@a${uuidv7()}.example` })
  ben = await makeUser(app, { email: `ben.stone@a${ann.email.split('@a')[1]}` })
  connectionId = await makeConnection(app, ann, ben)
  await door.on(ann)
})

describe('somebody who is allowed', () => {
  test.beforeEach(({ door }) => door.allow(connectionId, ann))

  test('knocks, and has the answer once', async ({ door }) => {
    expect(await door.read(ben)).toEqual({ allowed: [], mayKnock: [ann.userId], received: [], sent: [] })
    expect(await door.knock(ben, ann)).toBe('sent')
    expect(await door.read(ann)).toMatchObject({ allowed: [connectionId], mayKnock: [], received: [ben.userId] })
    expect((await door.read(ben)).sent).toEqual([{ userId: ann.userId, answer: null }])
    await door.answer(ann, ben, 'soon')
    await door.answer(ann, ben, 'later')
    expect((await door.read(ann)).received).toEqual([])
    expect((await door.read(ben)).sent).toEqual([{ userId: ann.userId, answer: 'soon' }])
    await door.see(ben, ann)
    expect((await door.read(ben)).sent).toEqual([])
  })

  test('counts as one interruption, which can be taken back', async ({ app, clock, door }) => {
    expect(await door.presses(ann)).toEqual([])
    await Promise.all(Array.from({ length: 10 }, () => door.knock(ben, ann)))
    const [press, ...more] = (await door.presses(ann)) ?? []
    expect([press, more]).toEqual([expect.objectContaining({ pressId: expect.any(String) }), []])
    const now = clock.now().toISOString()
    const { sessionId = '', pressId = '' } = press ?? {}
    await app.call(replaySwitches, { sentAt: now, changes: [{ to: 'undo', sessionId, pressId, actedAt: now }] }, ann)
    expect(await door.presses(ann)).toEqual([])
  })

  test('sees nothing of an unanswered knock once that session has ended, and knocks in the next one', async ({
    app,
    door,
  }) => {
    expect(await door.knock(ben, ann)).toBe('sent')
    const { body } = await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, ann)
    await app.call(stopFocus, { sessionId: body.session.id }, ann)
    await door.on(ann)
    expect((await door.read(ben)).sent).toEqual([])
    expect(await door.knock(ben, ann)).toBe('sent')
    expect((await door.read(ben)).sent).toEqual([{ userId: ann.userId, answer: null }])
  })

  test('knocks once in a session, and three times in 24 hours', async ({ app, clock, door }) => {
    const others = await Promise.all([1, 2].map(() => makeUser(app)))
    for (const other of others) {
      await door.allow(await makeConnection(app, other, ben), other)
      await door.on(other)
    }
    expect(await door.knock(ben, ann)).toBe('sent')
    // The same knock, which still waits.
    expect(await door.knock(ben, ann)).toBe('sent')
    await door.answer(ann, ben, 'now')
    await door.see(ben, ann)
    expect(await door.knock(ben, ann)).toBe('too_many_knocks')
    for (const other of others) expect(await door.knock(ben, other)).toBe('sent')
    const { body } = await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, ann)
    await app.call(stopFocus, { sessionId: body.session.id }, ann)
    await door.on(ann)
    expect(await door.knock(ben, ann)).toBe('too_many_knocks')
    // Nothing was counted in the new session, and another person is not limited.
    expect(await door.presses(ann)).toEqual([])
    clock.advance({ hours: 24 })
    expect(await door.knock(ben, ann)).toBe('sent')
  })

  test.for([
    ['withdraws it', () => [allowKnocks, { id: connectionId, isAllowed: false }, ann]],
    ['quits the connection', () => [quitConnection, { connectionId }, ann]],
    ['is quit by the sender', () => [quitConnection, { connectionId }, ben]],
  ] as [string, () => [typeof quitConnection, { connectionId: string }, MadeUser]][])(
    'threat 282: does not reach a receiver who %s, also by push',
    async ([_, act], { app, door, pushService }) => {
      const received = await subscribe(app, pushService, ann)
      expect(await door.knock(ben, ann)).toBe('sent')
      expect((await app.call(...act())).status).toBe(200)
      expect((await door.read(ann)).received).toEqual([])
      await door.deliver()
      expect(received).toEqual([])
      expect(await door.knock(ben, ann)).toBe('not_found')
      await door.answer(ann, ben, 'now')
      expect((await door.read(ben)).sent).toEqual([{ userId: ann.userId, answer: null }])
    },
  )

  test('a blocked person neither knocks nor is answered', async ({ app, clock, door }) => {
    await door.knock(ben, ann)
    await blockUser(app.db, ben.email, clock.now())
    expect((await door.read(ann)).received).toEqual([])
  })

  test('is pushed, and so is the answer', async ({ app, door, pushService }) => {
    const [toAnn, toBen] = [await subscribe(app, pushService, ann), await subscribe(app, pushService, ben)]
    await door.knock(ben, ann)
    await door.deliver()
    await door.answer(ann, ben, 'later')
    await door.deliver()
    expect(toAnn.map(({ message }) => message)).toEqual([{ kind: 'knock', personId: ben.userId, name: 'Ben Stone' }])
    expect(toBen.map(({ message }) => message)).toEqual([
      { kind: 'knock-answer', personId: ann.userId, name: 'Ann Meyer', answer: 'later' },
    ])
  })

  test('says nothing by push that was answered or shown before it was sent', async ({ app, door, pushService }) => {
    const [toAnn, toBen] = [await subscribe(app, pushService, ann), await subscribe(app, pushService, ben)]
    await door.knock(ben, ann)
    await door.answer(ann, ben, 'now')
    await door.see(ben, ann)
    await door.deliver()
    expect([toAnn, toBen]).toEqual([[], []])
  })

  test.for([
    ['the answer was shown', 0],
    ['an hour', 60],
  ] as const)(
    'threat 283: who knocked is in no table after %s',
    async ([_, minutes], { app, clock, door, pushService }) => {
      for (const person of [ann, ben]) await subscribe(app, pushService, person)
      const before = await linksOfBoth(app)
      await door.knock(ben, ann)
      await door.deliver()
      expect((await linksOfBoth(app)).length).toBeGreaterThan(before.length)
      if (minutes === 0) {
        await door.answer(ann, ben, 'now')
        await door.see(ben, ann)
      } else {
        clock.advance({ minutes })
        expect([(await door.read(ann)).received, (await door.read(ben)).sent]).toEqual([[], []])
        expect(await forgetKnocks(app.db, clock.now())).toEqual(expect.arrayContaining([ann.userId, ben.userId]))
      }
      expect(await linksOfBoth(app)).toEqual(before)
    },
  )

  test('the download of the sender has no session of the receiver', async ({ app, door }) => {
    await door.knock(ben, ann)
    const text = async (person: MadeUser) => JSON.stringify((await app.call(readMyData, {}, person)).body)
    const [row] = await app.db.query<{ id: string }>(openSession, { userId: ann.userId })
    expect(await text(ben)).toContain(`"receiver_id":"${ann.userId}"`)
    expect(await text(ben)).not.toContain(row?.id)
    expect(await text(ann)).toContain(row?.id)
  })

  test('is shown and counted once for a press that is repeated', async ({ app, door }) => {
    const toAnn = await openStream(app, ann)
    for (let n = 0; n < 5; n++) expect(await door.knock(ben, ann)).toBe('sent')
    await door.on(ben)
    await toAnn.until((stream) => stream.of('presence').length === 1)
    expect(toAnn.of('alerts-changed')).toHaveLength(1)
    toAnn.leave()
  })

  test('learns of the answer live, and nobody else of anything', async ({ app, door }) => {
    const cleo = await makeUser(app, { email: `cleo@${ann.email.split('@')[1]}` })
    await makeConnection(app, ann, cleo)
    const [toAnn, toBen, toCleo] = await Promise.all([ann, ben, cleo].map((who) => openStream(app, who)))
    await door.knock(ben, ann)
    await toAnn?.until((stream) => stream.of('alerts-changed').length === 1)
    await door.answer(ann, ben, 'now')
    await toBen?.until((stream) => stream.of('alerts-changed').length === 2)
    // Answers to nothing are no events.
    await door.answer(cleo, ann, 'now')
    await door.answer(ann, cleo, 'now')
    await door.on(cleo)
    await toAnn?.until((stream) => stream.of('presence').length === 1)
    expect(toAnn?.of('alerts-changed')).toHaveLength(2)
    expect(toCleo?.of('alerts-changed')).toEqual([])
    for (const stream of [toAnn, toBen, toCleo]) stream?.leave()
  })
})

describe('threat 282: somebody who is not allowed', () => {
  test('does not knock: nobody is by default', async ({ app, door }) => {
    const stranger = await makeUser(app)
    expect([await door.knock(ben, ann), await door.knock(stranger, ann), await door.knock(ann, ann)]).toEqual(
      Array(3).fill('not_found'),
    )
    expect(await door.read(ben)).toEqual({ allowed: [], mayKnock: [], received: [], sent: [] })
    expect(await door.presses(ann)).toEqual([])
  })

  test('does not allow themselves', async ({ app, door }) => {
    const cleo = await makeUser(app)
    expect(await door.allow(connectionId, cleo)).toBe(404)
    expect(await door.allow(uuidv7(), ben)).toBe(404)
    // The other side of the connection only lets Ann knock at Ben.
    expect(await door.allow(connectionId, ben)).toBe(200)
    expect(await door.knock(ben, ann)).toBe('not_found')
  })

  test('does not knock at somebody who is not in deeb mode', async ({ app, door }) => {
    await door.allow(connectionId, ann)
    const cleo = await makeUser(app)
    await door.allow(await makeConnection(app, cleo, ben), cleo)
    expect(await door.knock(ben, cleo)).toBe('not_found')
  })

  test('of a circle that is allowed, knocks only while the two see each other', async ({ app, door }) => {
    const [cleo, dan] = (await Promise.all(
      ['cleo', 'dan'].map((name) => makeUser(app, { email: `${name}@${ann.email.split('@')[1]}` })),
    )) as [MadeUser, MadeUser]
    const { circleId } = await makeCircle(app, [ann, cleo, dan])
    await door.allow(circleId, ann)
    expect((await door.read(cleo)).mayKnock).toEqual([ann.userId])
    expect(await door.knock(cleo, ann)).toBe('sent')
    await app.call(hidePerson, { userId: cleo.userId, isHidden: true }, ann)
    expect([(await door.read(ann)).received, await door.knock(cleo, ann)]).toEqual([[], 'not_found'])
    await app.call(leaveCircle, { circleId }, ann)
    expect([await door.read(dan), await door.knock(dan, ann)]).toMatchObject([{ mayKnock: [] }, 'not_found'])
    expect((await door.read(ann)).allowed).toEqual([])
  })
})

describe.skipIf(inject('template').engine === 'embedded')('two servers on one database', () => {
  test('threat 284: limit knocks together', async () => {
    const env = { DATABASE_URL: await createTestDatabase(), DEEB_SECRET: 'ab'.repeat(32) }
    const stores = { callLimitStore: withoutLimits() }
    const servers = [await startTestApp(env, undefined, stores), await startTestApp(env, undefined, stores)]
    const [one, other] = servers.map(knocksOn) as [ReturnType<typeof knocksOn>, ReturnType<typeof knocksOn>]
    const [first] = servers as [TestApp]
    const sender = await makeUser(first)
    const receivers = await Promise.all(Array.from({ length: 6 }, () => makeUser(first)))
    for (const receiver of receivers) {
      await one.allow(await makeConnection(first, receiver, sender), receiver)
      await one.on(receiver)
    }
    const outcomes = await Promise.all(
      receivers.flatMap((receiver) => [one.knock(sender, receiver), other.knock(sender, receiver)]),
    )
    const presses = await Promise.all(receivers.map((receiver) => other.presses(receiver)))
    await Promise.all(servers.map((server) => server.close()))
    expect(presses.flat()).toHaveLength(3)
    expect(outcomes.filter((outcome) => outcome === 'too_many_knocks')).toHaveLength(6)
  })
})

const openSession = statement('test.open-session', 'select id from deeb_sessions where user_id = :userId and is_active')

const tables = statement(
  'test.tables',
  `select format('%I.%I', schemaname, tablename) as name from pg_tables
  where schemaname in ('public', 'auth') order by 1`,
)

/** Rows of the database that name both Ann and Ben, and ids that rows about one and rows about the other share. */
async function linksOfBoth({ db }: TestApp): Promise<string[]> {
  const links: string[] = []
  const [ofAnn, ofBen] = [new Set<string>(), new Set<string>()]
  for (const { name } of await db.query<{ name: string }>(tables)) {
    const read = statement(`test.rows-of-${name}`, `select to_jsonb(held)::text as row from ${name} as held`)
    for (const { row } of await db.query<{ row: string }>(read)) {
      const [hasAnn, hasBen] = [row.includes(ann.userId), row.includes(ben.userId)]
      if (hasAnn && hasBen) links.push(`${name} ${row}`)
      for (const id of row.match(UUID) ?? []) {
        if (hasAnn) ofAnn.add(id)
        if (hasBen) ofBen.add(id)
      }
    }
  }
  return [...links, ...[...ofAnn].filter((id) => ofBen.has(id))].sort()
}

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g
