import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { saveGoals } from '@deeb/core/goals/api'
import { addSession, discardSession } from '@deeb/core/sessions/api'
import { updateWebhook } from '@deeb/core/webhooks/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { addWebhook, deliverWebhooks } from '../testing/webhook-bed.ts'
import { type Receiver, startReceiver, WEBHOOKS_HERE } from '../testing/webhook-receiver.ts'
import { noticeGoals } from './notice-goals.ts'

let testApp: TestApp
let receiver: Receiver
let ann: MadeUser
beforeAll(async () => {
  testApp = await startTestApp(WEBHOOKS_HERE)
})
afterAll(() => testApp.close())
beforeEach(async () => {
  // Monday
  testApp.clock.set('2026-06-15T06:00:00.000Z')
  receiver = await startReceiver()
  ann = await makeUser(testApp)
})
afterEach(() => receiver.close())

const now = () => testApp.clock.now().toISOString()

async function switchTo(to: 'on' | 'off', sessionId: string, timeZone = 'Europe/Berlin'): Promise<string> {
  const press = { sessionId, times: { actedAt: now(), sentAt: now() } }
  const { status } =
    to === 'on'
      ? await testApp.call(startFocus, { ...press, timeZone }, ann)
      : await testApp.call(stopFocus, press, ann)
  expect(status).toBe(200)
  return sessionId
}
const on = (timeZone?: string) => switchTo('on', uuidv7(), timeZone)
const off = (sessionId: string) => switchTo('off', sessionId)

/** The goal of every day, in minutes. */
async function goal(goalMinutes: number, timeZone = 'Europe/Berlin'): Promise<void> {
  const goals = [0, 1, 2, 3, 4, 5, 6].map((dayOfWeek) => ({ dayOfWeek, goalMinutes }))
  expect((await testApp.call(saveGoals, { goals, timeZone }, ann)).status).toBe(200)
}
const wanted = () => addWebhook(testApp, ann, receiver, ['goal.reached'])

/** What arrives of a check at this instant, as `2026-06-15 60/60`. */
async function atInstant(instant: string): Promise<string[]> {
  testApp.clock.set(instant)
  return check()
}
async function check(): Promise<string[]> {
  await noticeGoals(testApp.db, testApp.clock.now())
  await deliverWebhooks(testApp)
  return receiver.received.splice(0).map(({ data }) => `${data.date} ${data.minutes}/${data.goalMinutes}`)
}

test('goal.reached is sent once while a session runs, and not again when the goal is raised', async () => {
  await goal(60)
  await wanted()
  const first = await on()
  expect(await atInstant('2026-06-15T06:40:00Z')).toEqual([])
  await off(first)
  testApp.clock.set('2026-06-15T08:00:00Z')
  await on()
  expect(await atInstant('2026-06-15T08:19:59Z')).toEqual([])
  expect(await atInstant('2026-06-15T08:20:00Z')).toEqual(['2026-06-15 60/60'])
  expect(await atInstant('2026-06-15T08:21:00Z')).toEqual([])
  await goal(70)
  expect(await atInstant('2026-06-15T09:00:00Z')).toEqual([])
})

test('a goal that is lowered below the minutes of today is reached then', async () => {
  await goal(120)
  await wanted()
  await on()
  expect(await atInstant('2026-06-15T07:00:00Z')).toEqual([])
  await goal(45)
  expect(await check()).toEqual(['2026-06-15 60/45'])
})

test('a session that ends between two checks counts', async () => {
  await goal(60)
  await wanted()
  const session = await on()
  testApp.clock.set('2026-06-15T07:00:01Z')
  await off(session)
  expect(await atInstant('2026-06-15T07:00:10Z')).toEqual(['2026-06-15 60/60'])
})

test('a day without a goal is never reached', async () => {
  await wanted()
  await on()
  expect(await atInstant('2026-06-15T16:00:00Z')).toEqual([])
  await goal(0)
  expect(await check()).toEqual([])
})

test('over midnight each day has its own minutes, also if the check comes after midnight', async () => {
  await goal(60)
  await wanted()
  // 23:00 in Berlin
  testApp.clock.set('2026-06-15T21:00:00Z')
  await on()
  expect(await atInstant('2026-06-15T21:59:59Z')).toEqual([])
  expect(await atInstant('2026-06-15T22:00:10Z')).toEqual(['2026-06-15 60/60'])
  expect(await atInstant('2026-06-15T22:59:59Z')).toEqual([])
  expect(await atInstant('2026-06-15T23:00:00Z')).toEqual(['2026-06-16 60/60'])
})

test('time after midnight does not count for the day before', async () => {
  await goal(90)
  await wanted()
  testApp.clock.set('2026-06-15T21:00:00Z')
  await on()
  expect(await atInstant('2026-06-15T23:29:59Z')).toEqual([])
  expect(await atInstant('2026-06-15T23:30:00Z')).toEqual(['2026-06-16 90/90'])
})

test('the goal of a day that is over is that of its own evening', async () => {
  await goal(60)
  await wanted()
  testApp.clock.set('2026-06-15T21:30:00Z')
  const session = await on()
  testApp.clock.set('2026-06-15T22:05:00Z')
  await off(session)
  // After midnight: Monday had 30 of 60 minutes, Tuesday has 5 of 20.
  await goal(20)
  expect(await check()).toEqual([])
})

test('the local day is that of the place where the session began', async () => {
  await goal(60, 'Pacific/Auckland')
  await wanted()
  testApp.clock.set('2026-06-15T13:00:00Z')
  const session = await on('Pacific/Auckland')
  testApp.clock.set('2026-06-15T14:00:00Z')
  await off(session)
  expect(await check()).toEqual(['2026-06-16 60/60'])
  await on('America/Los_Angeles')
  expect(await atInstant('2026-06-15T15:00:00Z')).toEqual(['2026-06-15 60/60'])
})

test.each([
  ['forward', '2026-03-28T23:30:00.000Z', '2026-03-29T00:30:00.000Z', '2026-03-29T01:30:00.000Z', '2026-03-29'],
  ['back', '2026-10-24T22:30:00.000Z', '2026-10-24T23:30:00.000Z', '2026-10-25T00:30:00.000Z', '2026-10-25'],
])('minutes are real ones on the night when clocks go %s', async (_way, from, half, to, date) => {
  testApp.clock.set(from)
  ann = await makeUser(testApp)
  await goal(120)
  await wanted()
  await on()
  expect(await atInstant(half)).toEqual([])
  expect(await atInstant(new Date(Date.parse(to) - 1_000).toISOString())).toEqual([])
  expect(await atInstant(to)).toEqual([`${date} 120/120`])
})

test('queued switches of today and of yesterday evening can reach a goal, older ones not', async () => {
  await goal(60)
  await wanted()
  testApp.clock.set('2026-06-17T08:00:00Z')
  const replay = async (day: string, from: string, to: string) => {
    const [sessionId, timeZone] = [uuidv7(), 'Europe/Berlin']
    const changes = [
      { to: 'on' as const, sessionId, timeZone, actedAt: `2026-06-${day}T${from}:00.000Z` },
      { to: 'off' as const, sessionId, actedAt: `2026-06-${day}T${to}:00.000Z` },
    ]
    expect((await testApp.call(replaySwitches, { sentAt: now(), changes }, ann)).body.refused).toEqual([])
  }
  await replay('17', '05:00', '06:30')
  await replay('16', '18:00', '19:00')
  await replay('15', '05:00', '07:00')
  expect((await check()).sort()).toEqual(['2026-06-16 60/60', '2026-06-17 90/60'])
})

test('a session that is added by hand can reach the goal; one that is deleted takes nothing back', async () => {
  await goal(60)
  await wanted()
  testApp.clock.set('2026-06-15T10:00:00Z')
  const sessionId = uuidv7()
  const times = { startedAt: '2026-06-15T07:00:00.000Z', endedAt: '2026-06-15T08:00:00.000Z' }
  await testApp.call(addSession, { sessionId, timeZone: 'Europe/Berlin', ...times }, ann)
  expect(await check()).toEqual(['2026-06-15 60/60'])
  await testApp.call(discardSession, { sessionId }, ann)
  await on()
  expect(await atInstant('2026-06-15T12:00:00Z')).toEqual([])
})

test('a goal that was reached before anybody wanted to know is not sent', async () => {
  await goal(60)
  const { id } = await addWebhook(testApp, ann, receiver, ['focus.started'])
  const session = await on()
  testApp.clock.set('2026-06-15T07:30:00Z')
  await off(session)
  await deliverWebhooks(testApp)
  receiver.received.length = 0
  const change = { id, url: receiver.url, events: ['goal.reached' as const], isOn: true }
  expect((await testApp.call(updateWebhook, change, ann)).status).toBe(200)
  expect(await check()).toEqual([])
  testApp.clock.set('2026-06-16T07:00:00Z')
  await on()
  expect(await atInstant('2026-06-16T08:00:00Z')).toEqual(['2026-06-16 60/60'])
})

test('concurrent checks of several processes send it once', async () => {
  await goal(60)
  await wanted()
  await on()
  testApp.clock.set('2026-06-15T07:00:00Z')
  await Promise.all(Array.from({ length: 5 }, () => noticeGoals(testApp.db, testApp.clock.now())))
  expect(await check()).toEqual(['2026-06-15 60/60'])
})
