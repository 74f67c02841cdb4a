import { readMyData } from '@deeb/core/account/api'
import { MAX_ALERTS, readAlerts, setAlert } from '@deeb/core/alerts/api'
import { createCircle, hidePerson, joinCircle, leaveCircle, readCircles, removeMember } from '@deeb/core/circles/api'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { discardSession } from '@deeb/core/sessions/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import { readWeek } from '@deeb/core/stats/api'
import { answerRequest, quitConnection, readTeam, requestConnection } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { blockUser } from '../admin/users.ts'
import { closeForgottenSessions } from '../focus/close-forgotten.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makeUser } from '../testing/make.ts'
import { deliverPushes, subscribe } from '../testing/push.ts'
import { test as base } from '../testing/test.ts'
import type { TestApp } from '../testing/test-app.ts'
import { createDescribePush } from './describe-push.ts'
import { noticeFree } from './notice-free.ts'

const test = base.extend('settings', { scope: 'file' }, { PUSH: 'local' }).extend('alert', ({ app, clock }) => {
  async function on(person: MadeUser): Promise<void> {
    const sessionId = uuidv7()
    sessions.set(person.userId, sessionId)
    await app.call(startFocus, { sessionId, timeZone: 'UTC' }, person)
  }
  const off = (person: MadeUser) => app.call(stopFocus, { sessionId: sessions.get(person.userId) ?? '' }, person)
  const pass = (minutes: number) => clock.advance({ minutes })
  const wish = async (isWanted = true, by = ben, whom = ann) =>
    (await app.call(setAlert, { userId: whom.userId, isWanted }, by)).status
  const tick = () => noticeFree(app.db, clock.now(), clock.now())
  const alerts = async (by = ben) => (await app.call(readAlerts, {}, by)).body.alerts
  const deliver = () => deliverPushes(app, createDescribePush(app.db, 50))
  const at = (time: string) => `${clock.now().toISOString().slice(0, 10)}T${time}.000Z`
  return { on, off, pass, wish, tick, alerts, deliver, at }
})

let ann: MadeUser
let ben: MadeUser
let connectionId: string
/** Ann is in deeb mode since 9:00, and Ben sees it. */
test.beforeEach(async ({ app, clock, alert }) => {
  clock.advance({ hours: 48 })
  clock.set(`${clock.now().toISOString().slice(0, 10)}T09:00:00.000Z`)
  ann = await makeUser(app, { email: `ann.meyer@a${uuidv7()}.example` })
  ben = await makeUser(app)
  connectionId = await makeConnection(app, ann, ben)
  await alert.on(ann)
})

const sessions = new Map<string, string>()

describe('a wish that comes true', () => {
  test('is due once, when the colleague has been off for 2 minutes', async ({ clock, alert }) => {
    expect(await alert.wish()).toBe(200)
    expect(await alert.tick()).toEqual([])
    alert.pass(45)
    await alert.off(ann)
    clock.advance({ seconds: 119 })
    expect(await alert.tick()).toEqual([])
    expect(await alert.alerts()).toEqual([{ userId: ann.userId, freeSince: null }])
    clock.advance({ seconds: 1 })
    expect(await alert.tick()).toEqual([ben.userId])
    expect(await alert.tick()).toEqual([])
    expect(await alert.alerts()).toEqual([{ userId: ann.userId, freeSince: alert.at('09:45:00') }])
    expect(await alert.wish(false)).toBe(200)
    expect(await alert.alerts()).toEqual([])
  })

  test('sends one push message for ten ticks at the same time', async ({ app, pushService, alert }) => {
    const received = await subscribe(app, pushService, ben)
    await alert.wish()
    await alert.off(ann)
    alert.pass(2)
    const told = await Promise.all(Array.from({ length: 10 }, alert.tick))
    expect(told.flat()).toEqual([ben.userId])
    await Promise.all(Array.from({ length: 3 }, alert.deliver))
    expect(received.map(({ message }) => message)).toEqual([
      { kind: 'free', personId: ann.userId, name: 'Ann Meyer', since: alert.at('09:00:00') },
    ])
  })

  test('is due later if the colleague starts again first', async ({ alert }) => {
    await alert.wish()
    await alert.off(ann)
    alert.pass(1)
    await alert.on(ann)
    alert.pass(5)
    expect(await alert.tick()).toEqual([])
    await alert.off(ann)
    alert.pass(1)
    expect(await alert.tick()).toEqual([])
    alert.pass(1)
    expect(await alert.tick()).toEqual([ben.userId])
  })

  test('is due when both are free, if the watcher is in deeb mode', async ({ alert }) => {
    await alert.wish()
    await alert.on(ben)
    await alert.off(ann)
    alert.pass(10)
    expect(await alert.tick()).toEqual([])
    await alert.off(ben)
    expect(await alert.tick()).toEqual([ben.userId])
  })

  test('threat 135: does not show the time of an earlier session, if the colleague deleted this one', async ({
    app,
    alert,
  }) => {
    await alert.off(ann)
    alert.pass(60)
    await alert.on(ann)
    alert.pass(30)
    await alert.wish()
    alert.pass(10)
    await alert.off(ann)
    await app.call(discardSession, { sessionId: sessions.get(ann.userId) ?? '' }, ann)
    alert.pass(1)
    expect(await alert.tick()).toEqual([])
    alert.pass(1)
    expect(await alert.tick()).toEqual([ben.userId])
    expect(await alert.alerts()).toEqual([{ userId: ann.userId, freeSince: alert.at('10:42:00') }])
  })

  test('is due again for a new wish', async ({ alert }) => {
    await alert.wish()
    await alert.off(ann)
    alert.pass(2)
    await alert.tick()
    await alert.wish(false)
    await alert.on(ann)
    await alert.wish()
    await alert.off(ann)
    alert.pass(2)
    expect(await alert.tick()).toEqual([ben.userId])
  })
})

describe('a wish that does not come true', () => {
  test('lapses 4 hours after it was asked for', async ({ alert }) => {
    await alert.wish()
    alert.pass(4 * 60 - 2)
    await alert.off(ann)
    alert.pass(2)
    expect(await alert.tick()).toEqual([])
    expect(await alert.alerts()).toEqual([])
  })

  test('is not due by a session that the server ended after 16 hours', async ({ app, clock, alert }) => {
    alert.pass(13 * 60)
    await alert.wish()
    alert.pass(3 * 60)
    await closeForgottenSessions(app.db, clock.now())
    alert.pass(5)
    expect(await alert.tick()).toEqual([])
  })

  test.for(['the watcher', 'the colleague'])(
    'threat 135: is deleted when %s quits the connection',
    async (quitter, { app, pushService, alert }) => {
      const received = await subscribe(app, pushService, ben)
      await alert.wish()
      await app.call(quitConnection, { connectionId }, quitter === 'the watcher' ? ben : ann)
      await alert.off(ann)
      alert.pass(2)
      expect(await alert.tick()).toEqual([])
      // Also if they connect again.
      const { body } = await app.call(requestConnection, { userId: ann.userId }, ben)
      await app.call(answerRequest, { requestId: body.connectionId, answer: 'accepted' }, ann)
      expect(await alert.tick()).toEqual([])
      await alert.deliver()
      expect([received, await alert.alerts()]).toEqual([[], []])
    },
  )

  test('threat 135: is deleted when they quit and connect again between two ticks', async ({ app, alert }) => {
    await alert.wish()
    await app.call(quitConnection, { connectionId }, ann)
    await makeConnection(app, ann, ben)
    await alert.off(ann)
    alert.pass(2)
    expect([await alert.tick(), await alert.alerts()]).toEqual([[], []])
  })

  test('threat 135: is not due after the administrator blocked the colleague', async ({ app, clock, alert }) => {
    await alert.wish()
    await blockUser(app.db, ann.email, clock.now())
    alert.pass(2)
    expect([await alert.tick(), await alert.alerts()]).toEqual([[], []])
  })

  test.for(['quit the connection', 'started again'])(
    'threat 135: sends no push message that was due when she %s',
    async (what, { app, pushService, alert }) => {
      const received = await subscribe(app, pushService, ben)
      await alert.wish()
      await alert.off(ann)
      alert.pass(2)
      expect(await alert.tick()).toEqual([ben.userId])
      if (what === 'started again') await alert.on(ann)
      else await app.call(quitConnection, { connectionId }, ann)
      await alert.deliver()
      expect(received).toEqual([])
      expect((await alert.alerts()).filter(({ freeSince }) => freeSince !== null)).toEqual([])
    },
  )
})

describe('somebody seen through a circle', () => {
  let circleId: string
  let invite: string
  let eve: MadeUser
  test.beforeEach(async ({ app, clock }) => {
    eve = await makeUser(app, { email: `eve.stone@${ann.email.split('@')[1]}` })
    const created = (await app.call(createCircle, { name: 'Backend' }, ann)).body
    circleId = created.circleId
    invite = created.invite
    // Ann is the keeper.
    clock.advance({ seconds: 1 })
    await app.call(joinCircle, { invite }, eve)
  })

  test('can be waited for', async ({ app, pushService, alert }) => {
    const received = await subscribe(app, pushService, eve)
    expect(await alert.wish(true, eve)).toBe(200)
    await alert.off(ann)
    alert.pass(2)
    expect(await alert.tick()).toEqual([eve.userId])
    await alert.deliver()
    expect(received.map(({ message }) => message.name)).toEqual(['Ann Meyer'])
  })

  test.for(['hides', 'leaves the circle'])(
    'threat 135: is not waited for once she %s, also if she is back',
    async (how, { app, alert }) => {
      const change = (isGone: boolean) => {
        if (how === 'hides') return app.call(hidePerson, { userId: eve.userId, isHidden: isGone }, ann)
        return app.call(leaveCircle, { circleId }, ann)
      }
      await alert.wish(true, eve)
      await change(true)
      await alert.off(ann)
      alert.pass(2)
      expect(await alert.tick()).toEqual([])
      if (how === 'hides') await change(false)
      expect([await alert.tick(), await alert.alerts(eve)]).toEqual([[], []])
    },
  )

  /** Every way in which Eve stops seeing Ann, and how she sees her again. */
  const BACK: Record<string, (app: TestApp) => Promise<unknown>> = {
    'Ann hid and showed herself': async (app) => {
      await app.call(hidePerson, { userId: eve.userId, isHidden: true }, ann)
      return app.call(hidePerson, { userId: eve.userId, isHidden: false }, ann)
    },
    'Ann left and joined again': (app) => backAfter(app, app.call(leaveCircle, { circleId }, ann), ann),
    'Eve left and joined again': (app) => backAfter(app, app.call(leaveCircle, { circleId }, eve), eve),
    'Ann removed Eve, who joined again': (app) =>
      backAfter(app, app.call(removeMember, { circleId, userId: eve.userId }, ann), eve),
  }
  async function backAfter(app: TestApp, change: Promise<unknown>, person: MadeUser): Promise<void> {
    await change
    expect((await app.call(joinCircle, { invite }, person)).status).toBe(200)
  }

  test.for(Object.keys(BACK))(
    'threat 135: is not waited for after %s between two ticks',
    async (how, { app, alert }) => {
      await alert.wish(true, eve)
      await BACK[how]?.(app)
      await alert.off(ann)
      alert.pass(2)
      expect([await alert.tick(), await alert.alerts(eve)]).toEqual([[], []])
      // They do see each other.
      await alert.on(ann)
      expect(await alert.wish(true, eve)).toBe(200)
    },
  )

  test.for(['hides', 'leaves the circle'])(
    'threat 135: no push message is sent that was due when she %s',
    async (how, { app, pushService, alert }) => {
      const received = await subscribe(app, pushService, eve)
      await alert.wish(true, eve)
      await alert.off(ann)
      alert.pass(2)
      expect(await alert.tick()).toEqual([eve.userId])
      if (how === 'hides') await app.call(hidePerson, { userId: eve.userId, isHidden: true }, ann)
      else await app.call(leaveCircle, { circleId }, ann)
      await alert.deliver()
      expect([received, await alert.alerts(eve)]).toEqual([[], []])
    },
  )

  test('is still waited for if a connection remains', async ({ app, alert }) => {
    await makeConnection(app, ann, eve)
    await alert.wish(true, eve)
    await app.call(leaveCircle, { circleId }, ann)
    await app.call(hidePerson, { userId: ann.userId, isHidden: true }, eve)
    await alert.off(ann)
    alert.pass(2)
    expect(await alert.tick()).toEqual([eve.userId])
  })
})

test('a due wish waits a day for its watcher, not longer', async ({ alert }) => {
  await alert.wish()
  await alert.off(ann)
  alert.pass(2)
  await alert.tick()
  alert.pass(24 * 60 - 1)
  expect(await alert.alerts()).toHaveLength(1)
  alert.pass(1)
  expect(await alert.alerts()).toEqual([])
})

test('a push message that was due when the server was killed is sent once by the next one', async ({
  app,
  pushService,
  alert,
}) => {
  const received = await subscribe(app, pushService, ben)
  await alert.wish()
  await alert.off(ann)
  alert.pass(2)
  // Killed between the commit of the tick and the first request.
  await alert.tick()
  alert.pass(3)
  expect(await alert.tick()).toEqual([])
  await alert.deliver()
  await alert.deliver()
  expect(received).toHaveLength(1)
})

test('a wish is refused for somebody whom the caller does not see in deeb mode', async ({ app, alert }) => {
  const stranger = await makeUser(app)
  expect(await alert.wish(true, stranger)).toBe(404)
  expect(await alert.wish(true, ann)).toBe(404)
  await alert.off(ann)
  expect(await alert.wish()).toBe(404)
  expect(await alert.wish(false, stranger)).toBe(200)
  expect(await alert.alerts()).toEqual([])
})

test('threat 133: a person has at most 20 open wishes', async ({ app, alert }) => {
  const people = await Promise.all(Array.from({ length: MAX_ALERTS }, () => makeUser(app)))
  for (const person of people) {
    await makeConnection(app, person, ben)
    await alert.on(person)
  }
  for (const person of people) expect(await alert.wish(true, ben, person)).toBe(200)
  const { status, error } = await app.call(setAlert, { userId: ann.userId, isWanted: true }, ben)
  expect([status, error.code]).toEqual([409, 'too_many_alerts'])
  expect(await alert.wish(true, ben, people[0])).toBe(200)
  await alert.wish(false, ben, people[0])
  expect(await alert.wish()).toBe(200)
})

test('threat 134: a colleague cannot tell whether somebody waits for them', async ({ app, alert }) => {
  const read = async () => {
    const answers = await Promise.all([
      app.call(readTeam, {}, ann),
      app.call(readHome, { timeZone: 'UTC' }, ann),
      app.call(readWeek, { timeZone: 'UTC' }, ann),
      app.call(readSessions, {}, ann),
      app.call(readCircles, {}, ann),
      app.call(readMyData, {}, ann),
      app.call(readAlerts, {}, ann),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(200))
    return JSON.stringify(answers.map(({ body }) => body))
  }
  const stream = await openStream(app, ann)
  const before = await read()
  const events = stream.deliveries.flat().length
  await alert.wish()
  await alert.tick()
  expect(await read()).toBe(before)
  // An event about the wish would have come before this one.
  await alert.on(ben)
  await stream.until((stream) => stream.of('presence').length > 0)
  const after = stream.deliveries.flat().slice(events)
  expect(after.map(({ type }) => type)).toEqual(['presence'])
  stream.leave()

  await alert.off(ben)
  await alert.off(ann)
  alert.pass(2)
  const beforeDue = await read()
  expect(await alert.tick()).toEqual([ben.userId])
  expect(await read()).toBe(beforeDue)
})

test('the devices of the watcher receive it live', async ({ app, alert }) => {
  const stream = await openStream(app, ben)
  await alert.wish()
  await stream.until((stream) => stream.of('alerts-changed').length === 1)
  await alert.off(ann)
  alert.pass(2)
  for (const userId of await alert.tick()) app.auth.publish({ kind: 'alerts', id: userId })
  await stream.until((stream) => stream.of('alerts-changed').length === 2)
  stream.leave()
})
