import { readMyData } from '@deeb/core/account/api'
import { setTarget, startFocus, stopFocus } from '@deeb/core/focus/api'
import { setStillOnReminders } from '@deeb/core/push/api'
import { type StillOnCause, touchSession } from '@deeb/core/sessions/api'
import { stillOnCause } from '@deeb/core/sessions/still-on'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { deliverPushes, subscribe } from '../testing/push-bed.ts'
import { type PushService, type ReceivedPush, startPushService } from '../testing/push-service.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { createDescribePush } from './describe-push.ts'
import { remindStillOn } from './remind-still-on.ts'

let testApp: TestApp
let service: PushService
let ann: MadeUser
let received: ReceivedPush[]
let sessionId: string
let startedAt: Date
beforeAll(async () => {
  testApp = await startTestApp({ PUSH: 'local' })
  service = await startPushService()
})
afterAll(async () => {
  await testApp.close()
  await service.close()
})
/** Ann has push messages and is in deeb mode. */
beforeEach(async () => {
  testApp.clock.advance({ hours: 48 })
  ann = await makeUser(testApp)
  received = await subscribe(testApp, service, ann)
  sessionId = uuidv7()
  startedAt = testApp.clock.now()
  await testApp.call(startFocus, { sessionId, timeZone: 'UTC' }, ann)
})

const pass = (minutes: number) => testApp.clock.advance({ minutes })
const remind = () => remindStillOn(testApp.db, testApp.clock.now())
const deliver = () => deliverPushes(testApp, createDescribePush(testApp.db, 50))
function touch(answers: StillOnCause[] = []) {
  const now = testApp.clock.now().toISOString()
  return testApp.call(touchSession, { sessionId, times: { actedAt: now, sentAt: now }, answers }, ann)
}

test('reminds once of a session after 4 hours, with five servers at the same time', async () => {
  pass(4 * 60 - 1)
  expect(await remind()).toBe(false)
  pass(1)
  const told = await Promise.all(Array.from({ length: 5 }, remind))
  expect(told.filter(Boolean)).toHaveLength(1)
  await deliver()
  pass(5 * 60)
  expect(await remind()).toBe(false)
  await deliver()
  expect(received.map(({ message }) => message)).toEqual([
    { kind: 'still-on', userId: ann.userId, sessionId, since: startedAt.toISOString() },
  ])
})

test('asks by the same rule as the open app', async () => {
  let lastTouchAt = startedAt
  const answers: StillOnCause[] = []
  const session = { startedAt, until: null, usualEndAt: null, answers }
  const cause = () => stillOnCause({ ...session, lastTouchAt }, testApp.clock.now())
  pass(3 * 60)
  await touch()
  lastTouchAt = testApp.clock.now()
  pass(60)
  expect([cause(), await remind()]).toEqual([null, false])
  pass(179)
  expect([cause(), await remind()]).toEqual([null, false])
  pass(1)
  expect([cause(), await remind()]).toEqual(['untouched', true])
})

test('reminds only after the target', async () => {
  await testApp.call(setTarget, { sessionId, targetMinutes: 5 * 60 }, ann)
  pass(5 * 60 - 1)
  expect(await remind()).toBe(false)
  pass(1)
  expect(await remind()).toBe(true)
})

test('does not remind somebody who has answered in the app', async () => {
  pass(4 * 60)
  await touch(['untouched'])
  pass(5 * 60)
  expect(await remind()).toBe(false)
})

test('sends no reminder of a session that has ended since then', async () => {
  pass(4 * 60)
  await remind()
  await testApp.call(stopFocus, { sessionId }, ann)
  await deliver()
  expect(received).toEqual([])
})

test('does not remind a person who switched reminders off, until they are on again', async () => {
  await testApp.call(setStillOnReminders, { remindsStillOn: false }, ann)
  pass(4 * 60)
  expect(await remind()).toBe(false)
  await testApp.call(setStillOnReminders, { remindsStillOn: true }, ann)
  expect(await remind()).toBe(true)
  expect((await testApp.call(readMyData, {}, ann)).body.profiles).toMatchObject([{ still_on_reminders: true }])
})

test('does not remind a person without push messages', async () => {
  const ben = await makeUser(testApp)
  await testApp.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, ben)
  await testApp.call(stopFocus, { sessionId }, ann)
  pass(4 * 60)
  expect(await remind()).toBe(false)
})
