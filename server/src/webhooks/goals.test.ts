import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { saveGoals } from '@deeb/core/goals/api'
import { addSession, discardSession } from '@deeb/core/sessions/api'
import { updateWebhook } from '@deeb/core/webhooks/api'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { WEBHOOKS_HERE } from '../testing/webhook-receiver.ts'
import { addWebhook, deliverWebhooks } from '../testing/webhooks.ts'
import { noticeGoals } from './notice-goals.ts'

const test = base
  .extend('settings', { scope: 'file' }, WEBHOOKS_HERE)
  .extend('webhooks', ({ app, clock, receiver }) => {
    const now = () => clock.now().toISOString()
    async function switchTo(to: 'on' | 'off', sessionId: string, timeZone = 'Europe/Berlin'): Promise<string> {
      const press = { sessionId, times: { actedAt: now(), sentAt: now() } }
      const { status } =
        to === 'on' ? await app.call(startFocus, { ...press, timeZone }, ann) : await app.call(stopFocus, press, ann)
      expect(status).toBe(200)
      return sessionId
    }
    const on = (timeZone?: string) => switchTo('on', uuidv7(), timeZone)
    const off = (sessionId: string) => switchTo('off', sessionId)
    /** The goal of every day, in minutes. */
    async function goal(goalMinutes: number, timeZone = 'Europe/Berlin'): Promise<void> {
      const goals = [0, 1, 2, 3, 4, 5, 6].map((dayOfWeek) => ({ dayOfWeek, goalMinutes }))
      expect((await app.call(saveGoals, { goals, timeZone }, ann)).status).toBe(200)
    }
    const wanted = () => addWebhook(app, ann, receiver, ['goal.reached'])
    /** Checks the goals at this instant. Returns what arrives, as `2026-06-15 60/60`. */
    async function atInstant(instant: string): Promise<string[]> {
      clock.set(instant)
      return check()
    }
    async function check(): Promise<string[]> {
      await noticeGoals(app.db, clock.now())
      await deliverWebhooks(app)
      return receiver.received.splice(0).map(({ data }) => `${data.date} ${data.minutes}/${data.goalMinutes}`)
    }
    return { now, on, off, goal, wanted, atInstant, check }
  })

let ann: MadeUser
test.beforeEach(async ({ app, clock }) => {
  // Monday
  clock.set('2026-06-15T06:00:00.000Z')
  ann = await makeUser(app)
})

test('goal.reached is sent once while a session runs, and not again when the goal is raised', async ({
  clock,
  webhooks,
}) => {
  await webhooks.goal(60)
  await webhooks.wanted()
  const first = await webhooks.on()
  expect(await webhooks.atInstant('2026-06-15T06:40:00Z')).toEqual([])
  await webhooks.off(first)
  clock.set('2026-06-15T08:00:00Z')
  await webhooks.on()
  expect(await webhooks.atInstant('2026-06-15T08:19:59Z')).toEqual([])
  expect(await webhooks.atInstant('2026-06-15T08:20:00Z')).toEqual(['2026-06-15 60/60'])
  expect(await webhooks.atInstant('2026-06-15T08:21:00Z')).toEqual([])
  await webhooks.goal(70)
  expect(await webhooks.atInstant('2026-06-15T09:00:00Z')).toEqual([])
})

test('a goal that is lowered below the minutes of today is reached then', async ({ webhooks }) => {
  await webhooks.goal(120)
  await webhooks.wanted()
  await webhooks.on()
  expect(await webhooks.atInstant('2026-06-15T07:00:00Z')).toEqual([])
  await webhooks.goal(45)
  expect(await webhooks.check()).toEqual(['2026-06-15 60/45'])
})

test('a session that ends between two checks counts', async ({ clock, webhooks }) => {
  await webhooks.goal(60)
  await webhooks.wanted()
  const session = await webhooks.on()
  clock.set('2026-06-15T07:00:01Z')
  await webhooks.off(session)
  expect(await webhooks.atInstant('2026-06-15T07:00:10Z')).toEqual(['2026-06-15 60/60'])
})

test('a day without a goal is never reached', async ({ webhooks }) => {
  await webhooks.wanted()
  await webhooks.on()
  expect(await webhooks.atInstant('2026-06-15T16:00:00Z')).toEqual([])
  await webhooks.goal(0)
  expect(await webhooks.check()).toEqual([])
})

test('over midnight each day has its own minutes, also if the check comes after midnight', async ({
  clock,
  webhooks,
}) => {
  await webhooks.goal(60)
  await webhooks.wanted()
  // 23:00 in Berlin
  clock.set('2026-06-15T21:00:00Z')
  await webhooks.on()
  expect(await webhooks.atInstant('2026-06-15T21:59:59Z')).toEqual([])
  expect(await webhooks.atInstant('2026-06-15T22:00:10Z')).toEqual(['2026-06-15 60/60'])
  expect(await webhooks.atInstant('2026-06-15T22:59:59Z')).toEqual([])
  expect(await webhooks.atInstant('2026-06-15T23:00:00Z')).toEqual(['2026-06-16 60/60'])
})

test('time after midnight does not count for the day before', async ({ clock, webhooks }) => {
  await webhooks.goal(90)
  await webhooks.wanted()
  clock.set('2026-06-15T21:00:00Z')
  await webhooks.on()
  expect(await webhooks.atInstant('2026-06-15T23:29:59Z')).toEqual([])
  expect(await webhooks.atInstant('2026-06-15T23:30:00Z')).toEqual(['2026-06-16 90/90'])
})

test('the goal of a day that is over is that of its own evening', async ({ clock, webhooks }) => {
  await webhooks.goal(60)
  await webhooks.wanted()
  clock.set('2026-06-15T21:30:00Z')
  const session = await webhooks.on()
  clock.set('2026-06-15T22:05:00Z')
  await webhooks.off(session)
  // After midnight: Monday had 30 of 60 minutes, Tuesday has 5 of 20.
  await webhooks.goal(20)
  expect(await webhooks.check()).toEqual([])
})

test('the local day is that of the place where the session began', async ({ clock, webhooks }) => {
  await webhooks.goal(60, 'Pacific/Auckland')
  await webhooks.wanted()
  clock.set('2026-06-15T13:00:00Z')
  const session = await webhooks.on('Pacific/Auckland')
  clock.set('2026-06-15T14:00:00Z')
  await webhooks.off(session)
  expect(await webhooks.check()).toEqual(['2026-06-16 60/60'])
  await webhooks.on('America/Los_Angeles')
  expect(await webhooks.atInstant('2026-06-15T15:00:00Z')).toEqual(['2026-06-15 60/60'])
})

test.for([
  ['forward', '2026-03-28T23:30:00.000Z', '2026-03-29T00:30:00.000Z', '2026-03-29T01:30:00.000Z', '2026-03-29'],
  ['back', '2026-10-24T22:30:00.000Z', '2026-10-24T23:30:00.000Z', '2026-10-25T00:30:00.000Z', '2026-10-25'],
] as const)(
  'minutes are real ones on the night when clocks go %s',
  async ([_way, from, half, to, date], { app, clock, webhooks }) => {
    clock.set(from)
    ann = await makeUser(app)
    await webhooks.goal(120)
    await webhooks.wanted()
    await webhooks.on()
    expect(await webhooks.atInstant(half)).toEqual([])
    expect(await webhooks.atInstant(new Date(Date.parse(to) - 1_000).toISOString())).toEqual([])
    expect(await webhooks.atInstant(to)).toEqual([`${date} 120/120`])
  },
)

test('queued switches of today and of yesterday evening can reach a goal, older ones not', async ({
  app,
  clock,
  webhooks,
}) => {
  await webhooks.goal(60)
  await webhooks.wanted()
  clock.set('2026-06-17T08:00:00Z')
  const replay = async (day: string, from: string, to: string) => {
    const [sessionId, timeZone] = [uuidv7(), 'Europe/Berlin']
    const changes = [
      { to: 'on' as const, sessionId, timeZone, actedAt: `2026-06-${day}T${from}:00.000Z` },
      { to: 'off' as const, sessionId, actedAt: `2026-06-${day}T${to}:00.000Z` },
    ]
    expect((await app.call(replaySwitches, { sentAt: webhooks.now(), changes }, ann)).body.refused).toEqual([])
  }
  await replay('17', '05:00', '06:30')
  await replay('16', '18:00', '19:00')
  await replay('15', '05:00', '07:00')
  expect((await webhooks.check()).sort()).toEqual(['2026-06-16 60/60', '2026-06-17 90/60'])
})

test('a session that is added by hand can reach the goal; one that is deleted takes nothing back', async ({
  app,
  clock,
  webhooks,
}) => {
  await webhooks.goal(60)
  await webhooks.wanted()
  clock.set('2026-06-15T10:00:00Z')
  const sessionId = uuidv7()
  const times = { startedAt: '2026-06-15T07:00:00.000Z', endedAt: '2026-06-15T08:00:00.000Z' }
  await app.call(addSession, { sessionId, timeZone: 'Europe/Berlin', ...times }, ann)
  expect(await webhooks.check()).toEqual(['2026-06-15 60/60'])
  await app.call(discardSession, { sessionId }, ann)
  await webhooks.on()
  expect(await webhooks.atInstant('2026-06-15T12:00:00Z')).toEqual([])
})

test('a goal that was reached before anybody wanted to know is not sent', async ({
  app,
  clock,
  receiver,
  webhooks,
}) => {
  await webhooks.goal(60)
  const { id } = await addWebhook(app, ann, receiver, ['focus.started'])
  const session = await webhooks.on()
  clock.set('2026-06-15T07:30:00Z')
  await webhooks.off(session)
  await deliverWebhooks(app)
  receiver.received.length = 0
  const change = { id, url: receiver.url, events: ['goal.reached' as const], isOn: true }
  expect((await app.call(updateWebhook, change, ann)).status).toBe(200)
  expect(await webhooks.check()).toEqual([])
  clock.set('2026-06-16T07:00:00Z')
  await webhooks.on()
  expect(await webhooks.atInstant('2026-06-16T08:00:00Z')).toEqual(['2026-06-16 60/60'])
})

test('concurrent checks of several processes send it once', async ({ app, clock, webhooks }) => {
  await webhooks.goal(60)
  await webhooks.wanted()
  await webhooks.on()
  clock.set('2026-06-15T07:00:00Z')
  await Promise.all(Array.from({ length: 5 }, () => noticeGoals(app.db, clock.now())))
  expect(await webhooks.check()).toEqual(['2026-06-15 60/60'])
})
