import { readMyData } from '@deeb/core/account/api'
import { MAX_ALERTS, readAlerts, setAlert } from '@deeb/core/alerts/api'
import { createCircle, hidePerson, joinCircle, leaveCircle, readCircles, removeMember } from '@deeb/core/circles/api'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { discardSession, readSessions } from '@deeb/core/sessions/api'
import { readWeek } from '@deeb/core/stats/api'
import { answerRequest, quitConnection, readTeam, requestConnection } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { blockUser } from '../admin/users.ts'
import { closeForgottenSessions } from '../focus/close-forgotten.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makeUser } from '../testing/make.ts'
import { deliverPushes, subscribe } from '../testing/push-bed.ts'
import { type PushService, startPushService } from '../testing/push-service.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { createDescribePush } from './describe-push.ts'
import { noticeFree } from './notice-free.ts'

let testApp: TestApp
let service: PushService
let ann: MadeUser
let ben: MadeUser
let connectionId: string
beforeAll(async () => {
  testApp = await startTestApp({ PUSH: 'local' })
  service = await startPushService()
})
afterAll(async () => {
  await testApp.close()
  await service.close()
})
/** Ann is in deeb mode since 9:00, and Ben sees it. */
beforeEach(async () => {
  testApp.clock.advance({ hours: 48 })
  testApp.clock.set(`${testApp.clock.now().toISOString().slice(0, 10)}T09:00:00.000Z`)
  ann = await makeUser(testApp, { email: `ann.meyer@a${uuidv7()}.example` })
  ben = await makeUser(testApp)
  connectionId = await makeConnection(testApp, ann, ben)
  await on(ann)
})

const sessions = new Map<string, string>()
async function on(person: MadeUser): Promise<void> {
  const sessionId = uuidv7()
  sessions.set(person.userId, sessionId)
  await testApp.call(startFocus, { sessionId, timeZone: 'UTC' }, person)
}
const off = (person: MadeUser) => testApp.call(stopFocus, { sessionId: sessions.get(person.userId) ?? '' }, person)
const pass = (minutes: number) => testApp.clock.advance({ minutes })
const wish = async (isWanted = true, by = ben, whom = ann) =>
  (await testApp.call(setAlert, { userId: whom.userId, isWanted }, by)).status
const tick = () => noticeFree(testApp.db, testApp.clock.now(), testApp.clock.now())
const alerts = async (by = ben) => (await testApp.call(readAlerts, {}, by)).body.alerts
const deliver = () => deliverPushes(testApp, createDescribePush(testApp.db, 50))
const at = (time: string) => `${testApp.clock.now().toISOString().slice(0, 10)}T${time}.000Z`

describe('a wish comes true', () => {
  test('when the colleague has been off for 2 minutes, exactly once', async () => {
    expect(await wish()).toBe(200)
    expect(await tick()).toEqual([])
    pass(45)
    await off(ann)
    testApp.clock.advance({ seconds: 119 })
    expect(await tick()).toEqual([])
    expect(await alerts()).toEqual([{ userId: ann.userId, freeSince: null }])
    testApp.clock.advance({ seconds: 1 })
    expect(await tick()).toEqual([ben.userId])
    expect(await tick()).toEqual([])
    expect(await alerts()).toEqual([{ userId: ann.userId, freeSince: at('09:45:00') }])
    expect(await wish(false)).toBe(200)
    expect(await alerts()).toEqual([])
  })

  test('once for ten ticks at the same time, with one push message', async () => {
    const received = await subscribe(testApp, service, ben)
    await wish()
    await off(ann)
    pass(2)
    const told = await Promise.all(Array.from({ length: 10 }, tick))
    expect(told.flat()).toEqual([ben.userId])
    await Promise.all(Array.from({ length: 3 }, deliver))
    expect(received.map(({ message }) => message)).toEqual([
      { kind: 'free', personId: ann.userId, name: 'Ann Meyer', since: at('09:00:00') },
    ])
  })

  test('later if the colleague starts again first', async () => {
    await wish()
    await off(ann)
    pass(1)
    await on(ann)
    pass(5)
    expect(await tick()).toEqual([])
    await off(ann)
    pass(1)
    expect(await tick()).toEqual([])
    pass(1)
    expect(await tick()).toEqual([ben.userId])
  })

  test('when both are free, if the watcher is in deeb mode', async () => {
    await wish()
    await on(ben)
    await off(ann)
    pass(10)
    expect(await tick()).toEqual([])
    await off(ben)
    expect(await tick()).toEqual([ben.userId])
  })

  test('threat 135: without the time of an earlier session, if the colleague deleted this one', async () => {
    await off(ann)
    pass(60)
    await on(ann)
    pass(30)
    await wish()
    pass(10)
    await off(ann)
    await testApp.call(discardSession, { sessionId: sessions.get(ann.userId) ?? '' }, ann)
    pass(1)
    expect(await tick()).toEqual([])
    pass(1)
    expect(await tick()).toEqual([ben.userId])
    expect(await alerts()).toEqual([{ userId: ann.userId, freeSince: at('10:42:00') }])
  })

  test('again for a new wish', async () => {
    await wish()
    await off(ann)
    pass(2)
    await tick()
    await wish(false)
    await on(ann)
    await wish()
    await off(ann)
    pass(2)
    expect(await tick()).toEqual([ben.userId])
  })
})

describe('a wish does not come true', () => {
  test('4 hours after it was asked for', async () => {
    await wish()
    pass(4 * 60 - 2)
    await off(ann)
    pass(2)
    expect(await tick()).toEqual([])
    expect(await alerts()).toEqual([])
  })

  test('by a session that the server ended after 16 hours', async () => {
    pass(13 * 60)
    await wish()
    pass(3 * 60)
    await closeForgottenSessions(testApp.db, testApp.clock.now())
    pass(5)
    expect(await tick()).toEqual([])
  })

  test.each(['the watcher', 'the colleague'])('threat 135: after %s quit the connection', async (quitter) => {
    const received = await subscribe(testApp, service, ben)
    await wish()
    await testApp.call(quitConnection, { connectionId }, quitter === 'the watcher' ? ben : ann)
    await off(ann)
    pass(2)
    expect(await tick()).toEqual([])
    // Also if they connect again.
    const { body } = await testApp.call(requestConnection, { userId: ann.userId }, ben)
    await testApp.call(answerRequest, { requestId: body.connectionId, answer: 'accepted' }, ann)
    expect(await tick()).toEqual([])
    await deliver()
    expect([received, await alerts()]).toEqual([[], []])
  })

  test('threat 135: after they quit and connected again between two ticks', async () => {
    await wish()
    await testApp.call(quitConnection, { connectionId }, ann)
    await makeConnection(testApp, ann, ben)
    await off(ann)
    pass(2)
    expect([await tick(), await alerts()]).toEqual([[], []])
  })

  test('threat 135: after the administrator blocked the colleague', async () => {
    await wish()
    await blockUser(testApp.db, ann.email, testApp.clock.now())
    pass(2)
    expect([await tick(), await alerts()]).toEqual([[], []])
  })

  test.each(['quit the connection', 'started again'])(
    'threat 135: for a push message that was due when she %s',
    async (what) => {
      const received = await subscribe(testApp, service, ben)
      await wish()
      await off(ann)
      pass(2)
      expect(await tick()).toEqual([ben.userId])
      if (what === 'started again') await on(ann)
      else await testApp.call(quitConnection, { connectionId }, ann)
      await deliver()
      expect(received).toEqual([])
      expect((await alerts()).filter(({ freeSince }) => freeSince !== null)).toEqual([])
    },
  )
})

describe('somebody seen through a circle', () => {
  let circleId: string
  let invite: string
  let eve: MadeUser
  beforeEach(async () => {
    eve = await makeUser(testApp, { email: `eve.stone@${ann.email.split('@')[1]}` })
    const created = (await testApp.call(createCircle, { name: 'Backend' }, ann)).body
    circleId = created.circleId
    invite = created.invite
    // Ann is the keeper.
    testApp.clock.advance({ seconds: 1 })
    await testApp.call(joinCircle, { invite }, eve)
  })

  test('can be waited for', async () => {
    const received = await subscribe(testApp, service, eve)
    expect(await wish(true, eve)).toBe(200)
    await off(ann)
    pass(2)
    expect(await tick()).toEqual([eve.userId])
    await deliver()
    expect(received.map(({ message }) => message.name)).toEqual(['Ann Meyer'])
  })

  test.each(['hides', 'leaves the circle'])(
    'threat 135: is not waited for once she %s, also if she is back',
    async (how) => {
      const change = (isGone: boolean) => {
        if (how === 'hides') return testApp.call(hidePerson, { userId: eve.userId, isHidden: isGone }, ann)
        return testApp.call(leaveCircle, { circleId }, ann)
      }
      await wish(true, eve)
      await change(true)
      await off(ann)
      pass(2)
      expect(await tick()).toEqual([])
      if (how === 'hides') await change(false)
      expect([await tick(), await alerts(eve)]).toEqual([[], []])
    },
  )

  /** Every way in which Eve stops seeing Ann, and how she sees her again. */
  const BACK: Record<string, () => Promise<unknown>> = {
    'Ann hid and showed herself': async () => {
      await testApp.call(hidePerson, { userId: eve.userId, isHidden: true }, ann)
      return testApp.call(hidePerson, { userId: eve.userId, isHidden: false }, ann)
    },
    'Ann left and joined again': () => backAfter(testApp.call(leaveCircle, { circleId }, ann), ann),
    'Eve left and joined again': () => backAfter(testApp.call(leaveCircle, { circleId }, eve), eve),
    'Ann removed Eve, who joined again': () =>
      backAfter(testApp.call(removeMember, { circleId, userId: eve.userId }, ann), eve),
  }
  async function backAfter(change: Promise<unknown>, person: MadeUser): Promise<void> {
    await change
    expect((await testApp.call(joinCircle, { invite }, person)).status).toBe(200)
  }

  test.each(Object.keys(BACK))('threat 135: is not waited for after %s between two ticks', async (how) => {
    await wish(true, eve)
    await BACK[how]?.()
    await off(ann)
    pass(2)
    expect([await tick(), await alerts(eve)]).toEqual([[], []])
    // They do see each other.
    await on(ann)
    expect(await wish(true, eve)).toBe(200)
  })

  test.each(['hides', 'leaves the circle'])(
    'threat 135: no push message is sent that was due when she %s',
    async (how) => {
      const received = await subscribe(testApp, service, eve)
      await wish(true, eve)
      await off(ann)
      pass(2)
      expect(await tick()).toEqual([eve.userId])
      if (how === 'hides') await testApp.call(hidePerson, { userId: eve.userId, isHidden: true }, ann)
      else await testApp.call(leaveCircle, { circleId }, ann)
      await deliver()
      expect([received, await alerts(eve)]).toEqual([[], []])
    },
  )

  test('is waited for on, if a connection remains', async () => {
    await makeConnection(testApp, ann, eve)
    await wish(true, eve)
    await testApp.call(leaveCircle, { circleId }, ann)
    await testApp.call(hidePerson, { userId: ann.userId, isHidden: true }, eve)
    await off(ann)
    pass(2)
    expect(await tick()).toEqual([eve.userId])
  })
})

test('a due wish waits a day for its watcher, not longer', async () => {
  await wish()
  await off(ann)
  pass(2)
  await tick()
  pass(24 * 60 - 1)
  expect(await alerts()).toHaveLength(1)
  pass(1)
  expect(await alerts()).toEqual([])
})

test('a push message that was due when the server was killed is sent once by the next one', async () => {
  const received = await subscribe(testApp, service, ben)
  await wish()
  await off(ann)
  pass(2)
  // Killed between the commit of the tick and the first request.
  await tick()
  pass(3)
  expect(await tick()).toEqual([])
  await deliver()
  await deliver()
  expect(received).toHaveLength(1)
})

test('a wish is refused for somebody whom the caller does not see in deeb mode', async () => {
  const stranger = await makeUser(testApp)
  expect(await wish(true, stranger)).toBe(404)
  expect(await wish(true, ann)).toBe(404)
  await off(ann)
  expect(await wish()).toBe(404)
  expect(await wish(false, stranger)).toBe(200)
  expect(await alerts()).toEqual([])
})

test('threat 133: a person has at most 20 open wishes', async () => {
  const people = await Promise.all(Array.from({ length: MAX_ALERTS }, () => makeUser(testApp)))
  for (const person of people) {
    await makeConnection(testApp, person, ben)
    await on(person)
  }
  for (const person of people) expect(await wish(true, ben, person)).toBe(200)
  const { status, error } = await testApp.call(setAlert, { userId: ann.userId, isWanted: true }, ben)
  expect([status, error.code]).toEqual([409, 'too_many_alerts'])
  expect(await wish(true, ben, people[0])).toBe(200)
  await wish(false, ben, people[0])
  expect(await wish()).toBe(200)
})

test('threat 134: a colleague cannot tell whether somebody waits for them', async () => {
  const read = async () => {
    const answers = await Promise.all([
      testApp.call(readTeam, {}, ann),
      testApp.call(readHome, { timeZone: 'UTC' }, ann),
      testApp.call(readWeek, { timeZone: 'UTC' }, ann),
      testApp.call(readSessions, {}, ann),
      testApp.call(readCircles, {}, ann),
      testApp.call(readMyData, {}, ann),
      testApp.call(readAlerts, {}, ann),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(200))
    return JSON.stringify(answers.map(({ body }) => body))
  }
  const stream = await openStream(testApp, ann)
  const before = await read()
  const events = stream.deliveries.flat().length
  await wish()
  await tick()
  expect(await read()).toBe(before)
  // An event about the wish would have come before this one.
  await on(ben)
  await stream.until((stream) => stream.of('presence').length > 0)
  const after = stream.deliveries.flat().slice(events)
  expect(after.map(({ type }) => type)).toEqual(['presence'])
  stream.leave()

  await off(ben)
  await off(ann)
  pass(2)
  const beforeDue = await read()
  expect(await tick()).toEqual([ben.userId])
  expect(await read()).toBe(beforeDue)
})

test('the devices of the watcher receive it live', async () => {
  const stream = await openStream(testApp, ben)
  await wish()
  await stream.until((stream) => stream.of('alerts-changed').length === 1)
  await off(ann)
  pass(2)
  for (const userId of await tick()) testApp.auth.publish({ kind: 'alerts', id: userId })
  await stream.until((stream) => stream.of('alerts-changed').length === 2)
  stream.leave()
})
