import { deleteAccount, readMyData } from '@deeb/core/account/api'
import { closeCircle, hidePerson, joinCircle, leaveCircle, previewCircle, removeMember } from '@deeb/core/circles/api'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import { readWeek } from '@deeb/core/stats/api'
import { quitConnection, readTeam, requestConnection } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { statement } from '../db/db.ts'
import { newestLinkToken } from '../testing/auth-client.ts'
import { makeCircle, seenBy } from '../testing/circles.ts'
import { openDirectory } from '../testing/directory.ts'
import { openStream, type TestStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makeUser, PASSWORD } from '../testing/make.ts'
import { test as base, type FixturesOf } from '../testing/test.ts'
import type { TestApp } from '../testing/test-app.ts'

interface Listener {
  person: MadeUser
  stream: TestStream
}

const test = base.extend('live', ({ app }) => {
  /**
   * Switches Ann on and off, then each of the others too. An event is written to all streams in the same turn. So when her friend
   * has received it, and another user a later event, nothing about Ann can still arrive there.
   */
  async function switchAnnThen(others: Listener[]) {
    const before = control.of('presence').length
    const { session } = (await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, ann)).body
    await control.until((stream) => stream.of('presence').length === before + 1)
    await app.call(stopFocus, { sessionId: session.id }, ann)
    await control.until((stream) => stream.of('presence').length === before + 2)
    for (const { person, stream } of others.filter(({ stream }) => !stream.hasEnded)) {
      const before = stream.of('me-changed').length
      const own = (await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, person)).body.session
      await app.call(stopFocus, { sessionId: own.id }, person)
      await stream.until((stream) => stream.of('me-changed').length > before)
    }
  }
  const opened = async (person: MadeUser) => ({ person, stream: await openStream(app, person) })
  /** Changes the address of a person to another company. Returns them with a stream of the new auth session. */
  async function moveToAnotherCompany(person: MadeUser) {
    const { inject, auth, mailer } = app
    const headers = { authorization: `Bearer ${person.accessToken}` }
    const email = `${uuidv7()}@elsewhere.example`
    const change = { email, current_password: PASSWORD }
    await inject({ method: 'PUT', url: '/auth/v1/user', headers, payload: change })
    const token_hash = await newestLinkToken({ config: auth.config, mailer }, email, 'email_change')
    const link = { type: 'email_change', token_hash }
    const opening = await inject({ method: 'POST', url: '/auth/v1/verify', headers, payload: link })
    return opened({ ...person, accessToken: opening.json().access_token })
  }
  /** Every number that a colleague of her friend receives while they and the friend switch on and off, and Ann does so `times`. */
  async function numbersSeen(times: number): Promise<unknown[]> {
    const { person: ben, stream } = await opened(await makeUser(app))
    await makeConnection(app, ben, friend)
    const answers: object[] = []
    for (const person of [ben, friend, ...Array<MadeUser>(times).fill(ann), friend, ben]) {
      const { session } = (await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, person)).body
      await app.call(stopFocus, { sessionId: session.id }, person)
      if (person === ann) continue
      for (const read of [readHome, readWeek]) answers.push((await app.call(read, { timeZone: 'UTC' }, ben)).body)
      for (const read of [readSessions, readTeam, readMyData]) answers.push((await app.call(read, {}, ben)).body)
    }
    await stream.until((stream) => stream.of('presence').length > 0 && stream.of('me-changed').at(-1)?.version === 4)
    stream.leave()
    const numbers = JSON.stringify([answers, stream.of('hello'), stream.of('me-changed').at(-1)])
    return numbers.match(/(?<=:)-?\d+(?=[,}])/g) ?? []
  }
  /** Runs a change of a member, until the team of Ann has changed and the streams of the member have ended. Within a second. */
  async function withinASecond(change: () => Promise<unknown>, { stream }: Listener): Promise<void> {
    const annStream = await openStream(app, ann)
    const before = annStream.of('team-changed').length
    const beganAtMs = performance.now()
    await change()
    await annStream.until((stream) => stream.of('team-changed').length > before)
    await stream.until(({ hasEnded }) => hasEnded)
    expect(performance.now() - beganAtMs).toBeLessThan(1000)
    annStream.leave()
  }
  return { switchAnnThen, opened, moveToAnotherCompany, numbersSeen, withinASecond }
})

let ann: MadeUser
let friend: MadeUser
let control: TestStream
test.beforeEach(async ({ app }) => {
  ann = await makeUser(app)
  friend = await makeUser(app)
  await makeConnection(app, ann, friend)
  control = await openStream(app, friend)
})

test('privacy: no presence leaks to strangers, colleagues or either side of a pending request', async ({
  app,
  live,
}) => {
  const [stranger, colleague, asks, asked] = await Promise.all([
    makeUser(app, { email: `${uuidv7()}@elsewhere.example` }),
    makeUser(app),
    makeUser(app),
    makeUser(app),
  ])
  await app.call(requestConnection, { userId: ann.userId }, asks)
  await app.call(requestConnection, { userId: asked.userId }, ann)
  const others = await Promise.all([stranger, colleague, asks, asked].map(live.opened))
  await live.switchAnnThen(others)
  for (const { stream } of others) {
    expect(JSON.stringify(stream.deliveries)).not.toContain(ann.userId)
    stream.leave()
  }
})

test.for(['the switching user', 'the other'])(
  'a former connection receives no presence after %s quit',
  async (quitter, { app, live }) => {
    const former = await live.opened(await makeUser(app))
    const connectionId = await makeConnection(app, former.person, ann)
    await app.call(quitConnection, { connectionId }, quitter === 'the switching user' ? ann : former.person)
    await live.switchAnnThen([former])
    expect(former.stream.of('presence')).toEqual([])
    expect(former.stream.of('team-changed')).toHaveLength(1)
    former.stream.leave()
  },
)

test('a stream receives no presence after sign-out', async ({ app, live }) => {
  const left = await live.opened(await makeUser(app))
  await makeConnection(app, left.person, ann)
  const headers = { authorization: `Bearer ${left.person.accessToken}` }
  await app.inject({ method: 'POST', url: '/auth/v1/logout', headers })
  await live.switchAnnThen([left])
  await left.stream.until(({ hasEnded }) => hasEnded)
  expect(left.stream.of('presence')).toEqual([])
})

test('a user who left the company receives no presence, and their connections refetch the team', async ({
  app,
  live,
}) => {
  const left = await live.opened(await makeUser(app))
  await makeConnection(app, left.person, ann)
  const annStream = await openStream(app, ann)
  const again = await live.moveToAnotherCompany(left.person)
  await annStream.until((stream) => stream.of('team-changed').length === 1)
  await live.switchAnnThen([again])
  expect(JSON.stringify([...left.stream.deliveries, ...again.stream.deliveries])).not.toContain(ann.userId)
  for (const stream of [annStream, again.stream]) stream.leave()
})

describe('threat 152: how often Ann switches', () => {
  test('shows in no number of the answers, events and download of somebody who sees her friend', async ({ live }) => {
    const quiet = await live.numbersSeen(0)
    expect(quiet.length).toBeGreaterThan(20)
    expect(await live.numbersSeen(3)).toEqual(quiet)
  })
})

type Live = FixturesOf<typeof test>['live']

describe('in circles', () => {
  /** The number of events that the listener received about Ann. */
  const eventsOfAnn = ({ stream }: Listener) =>
    stream.of('presence').filter(({ userId }) => userId === ann.userId).length

  /** Ann switches, and none of these people learns of it. */
  async function expectBlind(live: Live, ...others: Listener[]) {
    const before = others.map(eventsOfAnn)
    await live.switchAnnThen(others)
    expect(others.map(eventsOfAnn)).toEqual(before)
    for (const { stream } of others) stream.leave()
  }

  const age = statement(
    'test.age-circle',
    `with aged as (update circles set created_at = created_at - interval '25 hours' where id = :circleId)
    update circle_members set joined_at = joined_at - interval '25 hours', visible_from = visible_from - interval '25 hours'
    where circle_id = :circleId`,
  )
  /** Makes everything in a circle happen 25 hours earlier. */
  const ageCircle = (app: TestApp, circleId: string) => app.db.query(age, { circleId })

  test('a member receives each switch once, if two circles and a connection lead to it', async ({ app, live }) => {
    const member = await live.opened(await makeUser(app))
    await makeCircle(app, [ann, member.person], 'One')
    await makeCircle(app, [ann, member.person], 'Two')
    await makeConnection(app, member.person, ann)
    await live.switchAnnThen([member])
    expect(member.stream.of('presence')).toHaveLength(2)
    member.stream.leave()
  })

  test('a stranger and a colleague who know the link receive no presence, also after a preview', async ({
    app,
    live,
  }) => {
    const { invite } = await makeCircle(app, [ann])
    const stranger = await live.opened(await makeUser(app, { email: `${uuidv7()}@elsewhere.example` }))
    const colleague = await live.opened(await makeUser(app))
    expect((await app.call(joinCircle, { invite }, stranger.person)).status).toBe(404)
    expect((await app.call(previewCircle, { invite }, colleague.person)).body.people).toHaveLength(1)
    await expectBlind(live, stranger, colleague)
  })

  test('a newcomer receives no presence for 24 hours, and then does', async ({ app, live }) => {
    const { circleId, invite } = await makeCircle(app, [ann])
    await ageCircle(app, circleId)
    const newcomer = await live.opened(await makeUser(app))
    await app.call(joinCircle, { invite }, newcomer.person)
    await live.switchAnnThen([newcomer])
    expect(newcomer.stream.of('presence')).toEqual([])
    await ageCircle(app, circleId)
    await live.switchAnnThen([newcomer])
    expect(newcomer.stream.of('presence')).toHaveLength(2)
    newcomer.stream.leave()
  })

  test('a person who hid before joining receives no presence', async ({ app, live }) => {
    const { invite } = await makeCircle(app, [ann])
    const hidden = await live.opened(await makeUser(app))
    await app.call(hidePerson, { userId: ann.userId, isHidden: true }, hidden.person)
    await app.call(joinCircle, { invite }, hidden.person)
    await expectBlind(live, hidden)
  })

  /** Every way in which a member and Ann stop seeing each other. `other` joined the circle that Ann keeps. */
  const WAYS: Record<string, (app: TestApp, other: MadeUser, circleId: string) => Promise<unknown>> = {
    'the member leaves': (app, other, circleId) => app.call(leaveCircle, { circleId }, other),
    'Ann leaves': (app, _, circleId) => app.call(leaveCircle, { circleId }, ann),
    'the member hides': (app, other) => app.call(hidePerson, { userId: ann.userId, isHidden: true }, other),
    'Ann hides': (app, other) => app.call(hidePerson, { userId: other.userId, isHidden: true }, ann),
    'Ann removes the member': (app, other, circleId) => app.call(removeMember, { circleId, userId: other.userId }, ann),
    'Ann closes the circle': (app, _, circleId) => app.call(closeCircle, { circleId }, ann),
    'one quits a connection with the other': async (app, other) =>
      app.call(quitConnection, { connectionId: await makeConnection(app, ann, other) }, other),
  }

  test.for(Object.keys(WAYS))(
    'after %s, the former side has its last event within a second',
    async (way, { app, live }) => {
      const former = await live.opened(await makeUser(app))
      const third = await live.opened(await makeUser(app))
      const { circleId } = await makeCircle(app, [ann, former.person, third.person])
      const before = former.stream.of('team-changed').length
      const beganAtMs = performance.now()
      expect(await WAYS[way]?.(app, former.person, circleId)).toMatchObject({ status: 200 })
      await former.stream.until((stream) => stream.of('team-changed').length > before)
      expect(performance.now() - beganAtMs).toBeLessThan(1000)
      await expectBlind(live, former)
      // The others of the circle are not affected, unless Ann has left it.
      expect(eventsOfAnn(third)).toBe(/Ann (leaves|closes)/.test(way) ? 0 : 2)
      third.stream.leave()
    },
  )

  test('after a member has moved to another company, the last event is within a second', async ({ app, live }) => {
    const former = await live.opened(await makeUser(app))
    await makeCircle(app, [ann, former.person])
    const annStream = await openStream(app, ann)
    const before = annStream.of('team-changed').length
    const beganAtMs = performance.now()
    const again = await live.moveToAnotherCompany(former.person)
    await annStream.until((stream) => stream.of('team-changed').length > before)
    expect(performance.now() - beganAtMs).toBeLessThan(1000)
    await expectBlind(live, former, again)
    annStream.leave()
  })

  test('after a member has deleted the account, the last event is within a second', async ({ app, live }) => {
    const deleted = await live.opened(await makeUser(app))
    await makeCircle(app, [ann, deleted.person])
    await live.withinASecond(() => app.call(deleteAccount, { password: PASSWORD }, deleted.person), deleted)
    await expectBlind(live, deleted)
    expect(await seenBy(app, ann)).toEqual([friend.userId])
  })

  test('after the company has deactivated a member, the last event is within a second', async ({ app, live }) => {
    const { add, patch } = await openDirectory(app, 'fjordlab.example')
    const leaver = await live.opened(await makeUser(app))
    await makeCircle(app, [ann, leaver.person])
    const { id } = await add(leaver.person.email)
    await live.withinASecond(() => patch(id, { op: 'replace', path: 'active', value: false }), leaver)
    await expectBlind(live, leaver)
    expect(await seenBy(app, ann)).toEqual([friend.userId])
  })
})
