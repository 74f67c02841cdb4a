import { randomUUID } from 'node:crypto'
import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { correctSession, discardSession } from '@deeb/core/sessions/api'
import { readUndisturbed } from '@deeb/core/stats/undisturbed-api'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import type { MadeUser } from '../testing/make.ts'
import { makeTraveller } from '../testing/make-traveller.ts'
import { test as base } from '../testing/test.ts'

const timeZone = 'Europe/Berlin'

let ann: MadeUser

const test = base.extend('sessions', ({ app, clock }) => {
  /** A session of that many minutes with that many interruptions. Returns its id. */
  async function focus(from: string, minutes: number, interruptions = 0): Promise<string> {
    const sessionId = uuidv7()
    clock.set(from)
    await app.call(startFocus, { sessionId, timeZone }, ann)
    const [sentAt, actedAt] = [from, from]
    const press = () => ({ to: 'interrupted' as const, sessionId, pressId: randomUUID(), actedAt })
    const changes = Array.from({ length: interruptions }, press)
    if (changes.length > 0) await app.call(replaySwitches, { sentAt, changes }, ann)
    clock.advance({ minutes })
    await app.call(stopFocus, { sessionId }, ann)
    return sessionId
  }
  const read = async (week?: string) =>
    (await app.call(readUndisturbed, { timeZone, ...(week && { week }) }, ann)).body.undisturbed
  return { focus, read }
})

test.beforeEach(async ({ app, clock }) => {
  clock.set('2026-06-01T07:00:00.000Z')
  ann = await makeTraveller(app)
})

test('says nothing to somebody who counts no interruptions', async ({ sessions }) => {
  await sessions.focus('2026-06-01T07:00:00.000Z', 50)
  expect(await sessions.read()).toBeNull()
})

test('counts the sessions of a minute or more that began in the week on the spot, and those without interruption', async ({
  app,
  clock,
  sessions,
}) => {
  await sessions.focus('2026-06-01T07:00:00.000Z', 50)
  await sessions.focus('2026-06-01T09:00:00.000Z', 90, 2)
  // Monday in Berlin, Sunday in UTC.
  await sessions.focus('2026-06-07T22:30:00.000Z', 30)
  await sessions.focus('2026-06-09T09:00:00.000Z', 0.5)
  const deleted = await sessions.focus('2026-06-09T10:00:00.000Z', 30, 1)
  await app.call(discardSession, { sessionId: deleted }, ann)
  expect(await sessions.read('2026-06-01')).toMatchObject({ sessions: 2, withoutInterruption: 1 })
  expect(await sessions.read()).toMatchObject({ sessions: 1, withoutInterruption: 1 })
  clock.set('2026-06-16T07:00:00.000Z')
  expect(await sessions.read()).toMatchObject({ sessions: 0, withoutInterruption: 0 })
  expect((await app.call(readUndisturbed, { timeZone, week: '2026-06-02' }, ann)).status).toBe(400)
})

test('the stretch is the longest session without an interruption, as a mean of the days with a session', async ({
  app,
  sessions,
}) => {
  await sessions.focus('2026-06-01T07:00:00.000Z', 50)
  await sessions.focus('2026-06-01T09:00:00.000Z', 90, 2)
  await sessions.focus('2026-06-03T09:00:00.000Z', 25, 1)
  await sessions.focus('2026-06-04T09:00:00.000Z', 20)
  await sessions.focus('2026-06-04T11:00:00.000Z', 41)
  const last = await sessions.focus('2026-06-16T09:00:00.000Z', 60, 1)
  const line = async () => (await sessions.read())?.stretchMinutes
  // (50 + 0 + 41) / 3
  expect(await line()).toEqual([...Array(9).fill(null), 30, null, 0])
  await app.call(correctSession, { sessionId: last, interruptions: 0 }, ann)
  expect((await line())?.at(-1)).toBe(60)
})

test('the weeks before the first interruption that was counted say nothing', async ({ sessions }) => {
  await sessions.focus('2026-06-01T07:00:00.000Z', 50)
  await sessions.focus('2026-06-08T07:00:00.000Z', 40)
  await sessions.focus('2026-06-10T07:00:00.000Z', 30, 1)
  expect((await sessions.read())?.stretchMinutes).toEqual([...Array(11).fill(null), 20])
})
