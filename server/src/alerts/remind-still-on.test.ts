import { readMyData } from '@deeb/core/account/api'
import { setTarget, startFocus, stopFocus } from '@deeb/core/focus/api'
import { setStillOnReminders } from '@deeb/core/push/api'
import { type StillOnCause, touchSession } from '@deeb/core/sessions/api'
import { stillOnCause } from '@deeb/core/sessions/still-on'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { deliverPushes, subscribe } from '../testing/push.ts'
import type { ReceivedPush } from '../testing/push-service.ts'
import { test as base } from '../testing/test.ts'
import { createDescribePush } from './describe-push.ts'
import { remindStillOn } from './remind-still-on.ts'

const test = base.extend('settings', { scope: 'file' }, { PUSH: 'local' }).extend('alerts', ({ app, clock }) => {
  const pass = (minutes: number) => clock.advance({ minutes })
  const remind = () => remindStillOn(app.db, clock.now())
  const deliver = () => deliverPushes(app, createDescribePush(app.db, 50))
  function touch(answers: StillOnCause[] = []) {
    const now = clock.now().toISOString()
    return app.call(touchSession, { sessionId, times: { actedAt: now, sentAt: now }, answers }, ann)
  }
  return { pass, remind, deliver, touch }
})

let ann: MadeUser
let received: ReceivedPush[]
let sessionId: string
let startedAt: Date
/** Ann has push messages and is in deeb mode. */
test.beforeEach(async ({ app, clock, pushService }) => {
  clock.advance({ hours: 48 })
  ann = await makeUser(app)
  received = await subscribe(app, pushService, ann)
  sessionId = uuidv7()
  startedAt = clock.now()
  await app.call(startFocus, { sessionId, timeZone: 'UTC' }, ann)
})

test('reminds once of a session after 4 hours, with five servers at the same time', async ({ alerts }) => {
  alerts.pass(4 * 60 - 1)
  expect(await alerts.remind()).toBe(false)
  alerts.pass(1)
  const told = await Promise.all(Array.from({ length: 5 }, alerts.remind))
  expect(told.filter(Boolean)).toHaveLength(1)
  await alerts.deliver()
  alerts.pass(5 * 60)
  expect(await alerts.remind()).toBe(false)
  await alerts.deliver()
  expect(received.map(({ message }) => message)).toEqual([
    { kind: 'still-on', userId: ann.userId, sessionId, since: startedAt.toISOString() },
  ])
})

test('asks by the same rule as the open app', async ({ clock, alerts }) => {
  let lastTouchAt = startedAt
  const answers: StillOnCause[] = []
  const session = { startedAt, until: null, usualEndAt: null, answers }
  const cause = () => stillOnCause({ ...session, lastTouchAt }, clock.now())
  alerts.pass(3 * 60)
  await alerts.touch()
  lastTouchAt = clock.now()
  alerts.pass(60)
  expect([cause(), await alerts.remind()]).toEqual([null, false])
  alerts.pass(179)
  expect([cause(), await alerts.remind()]).toEqual([null, false])
  alerts.pass(1)
  expect([cause(), await alerts.remind()]).toEqual(['untouched', true])
})

test('reminds only after the target', async ({ app, alerts }) => {
  await app.call(setTarget, { sessionId, targetMinutes: 5 * 60 }, ann)
  alerts.pass(5 * 60 - 1)
  expect(await alerts.remind()).toBe(false)
  alerts.pass(1)
  expect(await alerts.remind()).toBe(true)
})

test('does not remind somebody who has answered in the app', async ({ alerts }) => {
  alerts.pass(4 * 60)
  await alerts.touch(['untouched'])
  alerts.pass(5 * 60)
  expect(await alerts.remind()).toBe(false)
})

test('sends no reminder of a session that has ended since then', async ({ app, alerts }) => {
  alerts.pass(4 * 60)
  await alerts.remind()
  await app.call(stopFocus, { sessionId }, ann)
  await alerts.deliver()
  expect(received).toEqual([])
})

test('does not remind a person who switched reminders off, until they are on again', async ({ app, alerts }) => {
  await app.call(setStillOnReminders, { remindsStillOn: false }, ann)
  alerts.pass(4 * 60)
  expect(await alerts.remind()).toBe(false)
  await app.call(setStillOnReminders, { remindsStillOn: true }, ann)
  expect(await alerts.remind()).toBe(true)
  expect((await app.call(readMyData, {}, ann)).body.profiles).toMatchObject([{ still_on_reminders: true }])
})

test('does not remind a person without push messages', async ({ app, alerts }) => {
  const ben = await makeUser(app)
  await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, ben)
  await app.call(stopFocus, { sessionId }, ann)
  alerts.pass(4 * 60)
  expect(await alerts.remind()).toBe(false)
})
