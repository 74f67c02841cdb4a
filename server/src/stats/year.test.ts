import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { saveGoals } from '@deeb/core/goals/api'
import { everyDay } from '@deeb/core/goals/week-of-goals'
import { discardSession } from '@deeb/core/sessions/api'
import { readYear } from '@deeb/core/stats/year-api'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { purgeSessions } from '../retention/purge-sessions.ts'
import type { MadeUser } from '../testing/make.ts'
import { makeTraveller } from '../testing/make-traveller.ts'
import { test as base } from '../testing/test.ts'

const BERLIN = 'Europe/Berlin'

const test = base.extend('year', ({ app, clock }) => {
  const read = async (timeZone = BERLIN, user = ann) => (await app.call(readYear, { timeZone }, user)).body
  async function work(from: string, to: string, timeZone = BERLIN, user = ann): Promise<string> {
    const sessionId = uuidv7()
    clock.set(from)
    await app.call(startFocus, { sessionId, timeZone }, user)
    clock.set(to)
    expect((await app.call(stopFocus, { sessionId }, user)).status).toBe(200)
    return sessionId
  }
  /** The minutes of the hours that are not empty. */
  const hours = async () => {
    const { hourSeconds } = await read()
    expect(hourSeconds).toHaveLength(24)
    return Object.fromEntries(hourSeconds.flatMap((seconds, hour) => (seconds > 0 ? [[hour, seconds / 60]] : [])))
  }
  const minutes = async () => (await read()).days.map((day) => [day.date, day.minutes])
  return { read, work, hours, minutes }
})

let ann: MadeUser
test.beforeEach(async ({ app, clock }) => {
  clock.set('2025-10-01T09:00:00Z')
  ann = await makeTraveller(app)
})

test('a year without focus time is empty, from the first day of twelve months', async ({ clock, year }) => {
  clock.set('2026-06-15T22:30:00Z')
  const empty = { days: [], hourSeconds: Array(24).fill(0), hoursFrom: null }
  expect(await year.read()).toEqual({ from: '2025-07-01', to: '2026-06-16', ...empty })
  expect(await year.read('America/Los_Angeles')).toMatchObject({ from: '2025-07-01', to: '2026-06-15' })
})

test('a session over midnight counts on both days, and in the hours by the clock of its place', async ({ year }) => {
  await year.work('2026-06-14T21:30:00Z', '2026-06-14T23:15:00Z')
  // 07:00 in Kathmandu, wherever it is read.
  await year.work('2026-06-15T01:15:00Z', '2026-06-15T02:15:00Z', 'Asia/Kathmandu')
  expect(await year.minutes()).toEqual([
    ['2026-06-14', 30],
    ['2026-06-15', 75 + 60],
  ])
  expect(await year.hours()).toEqual({ 23: 30, 0: 60, 1: 15, 7: 60 })
})

test.for<[string, string, string, string, number, object]>([
  ['back', '2026-10-24T22:30:00Z', '2026-10-25T03:30:00Z', '2026-10-25', 300, { 0: 30, 1: 60, 2: 120, 3: 60, 4: 30 }],
  ['forward', '2026-03-28T23:30:00Z', '2026-03-29T01:30:00Z', '2026-03-29', 120, { 0: 30, 1: 60, 3: 30 }],
])('a session in the night in which clocks go %s', async ([, from, to, date, length, hours], { year }) => {
  await year.work(from, to)
  expect(await year.minutes()).toEqual([[date, length]])
  expect(await year.hours()).toEqual(hours)
})

test('leaves out what is older, deleted or still open', async ({ app, clock, year }) => {
  await year.work('2025-10-31T09:00:00Z', '2025-10-31T10:00:00Z')
  await year.work('2025-11-01T09:00:00Z', '2025-11-01T09:20:00Z')
  const sessionId = await year.work('2026-10-20T09:00:00Z', '2026-10-20T10:00:00Z')
  await app.call(discardSession, { sessionId }, ann)
  // Under a minute: no day, but part of the hours.
  await year.work('2026-10-21T09:00:00Z', '2026-10-21T09:00:30Z')
  await app.call(startFocus, { sessionId: uuidv7(), timeZone: BERLIN }, ann)
  clock.set('2026-10-21T11:00:00Z')
  const { days, hourSeconds, hoursFrom } = await year.read()
  expect(days).toEqual([{ date: '2025-11-01', minutes: 20, goalMinutes: 240 }])
  expect([hourSeconds[10], hourSeconds[11], hoursFrom]).toEqual([20 * 60, 30, '2025-11-01'])
})

test('each day has the goal of its time', async ({ app, clock, year }) => {
  await app.call(saveGoals, { goals: everyDay(60), timeZone: BERLIN }, ann)
  await year.work('2026-06-10T09:00:00Z', '2026-06-10T10:00:00Z')
  clock.set('2026-06-12T09:00:00Z')
  await app.call(saveGoals, { goals: everyDay(90), timeZone: BERLIN }, ann)
  await year.work('2026-06-12T09:00:00Z', '2026-06-12T10:00:00Z')
  expect((await year.read()).days.map((day) => day.goalMinutes)).toEqual([60, 90])
})

test('nobody else reads the year of a person', async ({ app, year }) => {
  const ben = await makeTraveller(app)
  await year.work('2026-06-10T09:00:00Z', '2026-06-10T10:00:00Z')
  expect(await year.read(BERLIN, ben)).toMatchObject({ days: [], hoursFrom: null, hourSeconds: Array(24).fill(0) })
})

test('days stay when a company keeps sessions for some months only, and hours say since when', async ({
  app,
  clock,
  year,
}) => {
  await year.work('2026-01-12T08:00:00Z', '2026-01-12T09:00:00Z')
  await year.work('2026-06-10T12:00:00Z', '2026-06-10T13:00:00Z')
  await purgeSessions(app.db, 2, clock.now())
  expect(await year.minutes()).toEqual([
    ['2026-01-12', 60],
    ['2026-06-10', 60],
  ])
  expect(await year.hours()).toEqual({ 14: 60 })
  expect((await year.read()).hoursFrom).toBe('2026-06-10')
})

test('refuses a time zone that does not exist', async ({ app }) => {
  expect((await app.call(readYear, { timeZone: 'Mars/Olympus' }, ann)).error.code).toBe('invalid_time_zone')
})
