import { readMyData } from '@deeb/core/account/api'
import { closeCircle, leaveCircle, readCircles, removeMember } from '@deeb/core/circles/api'
import { setQuietTimes, skipWeek, type TakingPart, takePart } from '@deeb/core/circles/quiet-api'
import type { QuietTime } from '@deeb/core/circles/quiet-times'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { dateAfter } from '@deeb/core/focus/split-by-day'
import { readHome } from '@deeb/core/home/api'
import { readTeam } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { createDescribePush } from '../alerts/describe-push.ts'
import { statement } from '../db/db.ts'
import { beginQuietTimes } from '../quiet/begin-quiet-times.ts'
import { makeCircle } from '../testing/circles.ts'
import { openStream, type TestStream } from '../testing/live.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { deliverPushes, subscribe } from '../testing/push.ts'
import { test as base } from '../testing/test.ts'
import { withoutLimits } from '../testing/without-limits.ts'

/** Its clocks never change: the tests move the clock over months. */
const ZONE = 'Africa/Johannesburg'
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]
/** 10:00 to 12:00 UTC. */
const NOON: QuietTime = { days: EVERY_DAY, from: 12 * 60, to: 14 * 60 }

/** Ends the connections of servers that begin quiet times, as a killed server does. */
const killTicks = statement(
  'test.kill-ticks',
  `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and query like '%quiet_times%' and state <> 'idle'`,
)
const countQueued = statement(
  'test.count-queued',
  `select count(*)::int as count from push_messages where user_id = :userId and kind = 'quiet'`,
)
const dueOf = statement(
  'test.due-of',
  'select next_try_at as "time" from push_messages where user_id = :userId and tried_at is null',
)

let ann: MadeUser
let ben: MadeUser
let cleo: MadeUser
let circleId: string

const test = base
  .extend('settings', { scope: 'file' }, { PUSH: 'local' })
  .extend('stores', { scope: 'file' }, { callLimitStore: withoutLimits() })
  .extend('quiet', ({ app, clock }) => {
    /** The times that people agree to when they are switched on. */
    let agreedTo = { timeZone: ZONE, times: [NOON] }
    const agree = (times: QuietTime[] = [NOON], by = ann, timeZone = ZONE) => {
      agreedTo = { timeZone, times }
      return app.call(setQuietTimes, { circleId, timeZone, times }, by)
    }
    const take = (person: MadeUser, part: Partial<TakingPart> = {}) =>
      app.call(takePart, { circleId, takesPart: true, ...part, ...(part.switchesOn && { agreedTo }) }, person)
    const skip = (person: MadeUser, skips = true) => app.call(skipWeek, { circleId, skips }, person)
    const home = async (person: MadeUser) => (await app.call(readHome, { timeZone: ZONE }, person)).body.quiet
    const circle = async (person: MadeUser) => (await app.call(readCircles, {}, person)).body.circles[0]
    const time = (text: string, inDays = 0) =>
      `${dateAfter(clock.now().toISOString().slice(0, 10), inDays)}T${text}:00.000Z`
    const at = (text: string) => clock.set(time(text))
    const tick = () => beginQuietTimes(app.db, clock.now())
    const deliver = () => deliverPushes(app, createDescribePush(app.db, 50))
    return { agree, take, skip, home, circle, time, at, tick, deliver }
  })

/** Ann keeps a circle with Ben and Cleo. It is 8:00 in UTC on a Tuesday. */
test.beforeEach(async ({ app, clock }) => {
  clock.advance({ hours: 7 * 24 })
  while (clock.now().getUTCDay() !== 2) clock.advance({ hours: 24 })
  clock.set(`${clock.now().toISOString().slice(0, 10)}T08:00:00.000Z`)
  ;[ann, ben, cleo] = await Promise.all([makeUser(app), makeUser(app), makeUser(app)])
  circleId = (await makeCircle(app, [ann, ben, cleo])).circleId
})

describe('the quiet times of a circle', () => {
  test('are set by its keeper and read by all its members', async ({ app, quiet }) => {
    const morning: QuietTime = { days: [2, 4], from: 540, to: 600 }
    expect((await quiet.agree([NOON, morning])).status).toBe(200)
    for (const person of [ann, ben, cleo]) {
      expect((await quiet.circle(person))?.quiet).toEqual({
        ...{ timeZone: ZONE, times: [morning, NOON] },
        ...{ takesPart: false, notifies: false, switchesOn: false, skips: false },
      })
    }
    const { circles } = (await app.call(readTeam, {}, ben)).body
    expect(circles?.[0]?.quiet).toEqual([
      { startsAt: quiet.time('10:00'), endsAt: quiet.time('12:00') },
      { startsAt: quiet.time('07:00', 2), endsAt: quiet.time('08:00', 2) },
    ])
  })

  test('are not set by another member, a stranger or an unknown clock', async ({ app, quiet }) => {
    const stranger = await makeUser(app, { email: `s${uuidv7()}@elsewhere.example` })
    expect((await quiet.agree([NOON], ben)).error.code).toBe('not_found')
    expect((await quiet.agree([NOON], stranger)).error.code).toBe('not_found')
    expect((await quiet.agree([NOON], ann, 'Europe/Atlantis')).error.code).toBe('invalid_time_zone')
    expect((await quiet.agree(Array(6).fill(NOON))).error.code).toBe('invalid_input')
    expect((await quiet.agree([NOON, { ...NOON, to: NOON.from }])).error.fields?.[0]?.path).toBe('times.1')
    // The same hour of a day twice.
    const late = { days: [2], from: NOON.to - 15, to: NOON.to + 15 }
    expect((await quiet.agree([NOON, late])).error.fields?.[0]?.path).toBe('times.1')
    expect((await quiet.take(stranger)).error.code).toBe('not_found')
    expect((await quiet.skip(stranger)).error.code).toBe('not_found')
    expect((await quiet.circle(ann))?.quiet?.times).toEqual([])
  })

  test('threat 281: are asked for again before they switch somebody on at other times', async ({ app, quiet }) => {
    await quiet.agree()
    await quiet.take(ben, { notifies: true, switchesOn: true })
    await quiet.agree([NOON])
    expect((await quiet.circle(ben))?.quiet).toMatchObject({ takesPart: true, notifies: true, switchesOn: true })
    const earlier = [{ ...NOON, from: NOON.from - 15 }]
    await quiet.agree(earlier)
    const without = { takesPart: true, notifies: false, switchesOn: false }
    expect((await quiet.circle(ben))?.quiet).toMatchObject(without)
    // Of a page that shows the earlier times.
    const stale = { circleId, switchesOn: true, agreedTo: { timeZone: ZONE, times: [NOON] } }
    expect((await app.call(takePart, stale, ben)).error.code).toBe('quiet_times_changed')
    expect((await app.call(takePart, { circleId, switchesOn: true }, ben)).error.code).toBe('quiet_times_changed')
    expect((await app.call(takePart, { circleId, notifies: true }, ben)).body).toEqual({ ...without, notifies: true })
    const fresh = { circleId, switchesOn: true, agreedTo: { timeZone: ZONE, times: earlier } }
    expect((await app.call(takePart, fresh, ben)).body).toEqual({ takesPart: true, notifies: true, switchesOn: true })
  })
})

describe('Home', () => {
  test('has those of today in which its user takes part, until they are over', async ({ quiet }) => {
    await quiet.agree([NOON, { days: [3], from: 0, to: 60 }])
    expect(await quiet.home(ben)).toEqual([])
    await quiet.take(ben)
    const today = { circleId, circle: 'Backend', startsAt: quiet.time('10:00'), endsAt: quiet.time('12:00') }
    expect(await quiet.home(ben)).toEqual([{ ...today, switchOnId: null }])
    quiet.at('11:59')
    await quiet.tick()
    expect(await quiet.home(ben)).toEqual([{ ...today, switchOnId: null }])
    quiet.at('12:00')
    expect(await quiet.home(ben)).toEqual([])
    await quiet.take(ben, { takesPart: false })
    expect((await quiet.circle(ben))?.quiet?.takesPart).toBe(false)
  })

  test('does not have those of a week that its user leaves out', async ({ clock, quiet }) => {
    await quiet.agree()
    await quiet.take(ben)
    expect((await quiet.skip(ben)).body).toEqual({ skips: true })
    expect(await quiet.home(ben)).toEqual([])
    expect((await quiet.circle(ben))?.quiet?.skips).toBe(true)
    await quiet.skip(ben, false)
    expect(await quiet.home(ben)).toHaveLength(1)
    await quiet.skip(ben)
    clock.advance({ hours: 5 * 24 })
    await quiet.tick()
    // Sunday.
    expect(await quiet.home(ben)).toEqual([])
    clock.advance({ hours: 24 })
    await quiet.tick()
    expect(await quiet.home(ben)).toHaveLength(1)
    expect((await quiet.circle(ben))?.quiet?.skips).toBe(false)
  })

  test('has the same session for all devices, until it was opened', async ({ app, quiet }) => {
    await quiet.agree()
    await quiet.take(ben, { switchesOn: true })
    await quiet.take(cleo, { switchesOn: true })
    const idOf = async (person: MadeUser) => (await quiet.home(person))?.[0]?.switchOnId
    const sessionId = (await idOf(ben)) ?? ''
    expect(await idOf(ben)).toBe(sessionId)
    expect(await idOf(cleo)).not.toBe(sessionId)
    quiet.at('10:00')
    await app.call(startFocus, { sessionId, timeZone: ZONE }, ben)
    expect(await idOf(ben)).toBeNull()
    await app.call(stopFocus, { sessionId }, ben)
    // Another device that begins it late.
    expect((await app.call(startFocus, { sessionId, timeZone: ZONE }, ben)).body.session.endedAt).not.toBeNull()
    expect(await idOf(ben)).toBeNull()
  })

  test('switches nobody on who was in deeb mode since the start: they may have ended it', async ({
    app,
    clock,
    quiet,
  }) => {
    await quiet.agree()
    await quiet.take(ben, { switchesOn: true })
    const idOf = async () => (await quiet.home(ben))?.[0]?.switchOnId ?? null
    const sessionId = uuidv7()
    await app.call(startFocus, { sessionId, timeZone: ZONE }, ben)
    clock.advance({ minutes: 30 })
    await app.call(stopFocus, { sessionId }, ben)
    expect(await idOf()).not.toBeNull()
    quiet.at('10:00')
    expect(await idOf()).not.toBeNull()
    const own = uuidv7()
    await app.call(startFocus, { sessionId: own, timeZone: ZONE }, ben)
    expect(await idOf()).toBeNull()
    clock.advance({ seconds: 40 })
    await app.call(stopFocus, { sessionId: own }, ben)
    expect(await idOf()).toBeNull()
  })

  test.for<[string, (by: { leaver: MadeUser }) => [typeof leaveCircle, object, MadeUser]]>([
    ['leaves the circle', ({ leaver }) => [leaveCircle, { circleId }, leaver]],
    ['is removed', ({ leaver }) => [removeMember as never, { circleId, userId: leaver.userId }, ann]],
    ['loses the circle', () => [closeCircle as never, { circleId }, ann]],
  ])('has none any more of somebody who %s', async ([_, act], { app, quiet }) => {
    await quiet.agree()
    await quiet.take(ben, { notifies: true, switchesOn: true })
    const [endpoint, input, by] = act({ leaver: ben })
    expect((await app.call(endpoint, input as { circleId: string }, by)).status).toBe(200)
    expect(await quiet.home(ben)).toEqual([])
    expect((await quiet.take(ben)).error.code).toBe('not_found')
  })
})

describe('a quiet time that begins', () => {
  test('notifies once those who wished it, on any number of servers', async ({ app, pushService, quiet }) => {
    await quiet.agree()
    await quiet.take(ben, { notifies: true })
    await quiet.take(cleo)
    const [toAnn, toBen, toCleo] = await Promise.all([ann, ben, cleo].map((who) => subscribe(app, pushService, who)))
    quiet.at('09:59')
    await quiet.tick()
    await quiet.deliver()
    expect(toBen).toEqual([])
    quiet.at('10:00')
    // Somebody else is in deeb mode.
    await app.call(startFocus, { sessionId: uuidv7(), timeZone: ZONE }, ann)
    await Promise.all(Array.from({ length: 10 }, quiet.tick))
    await Promise.all(Array.from({ length: 3 }, quiet.deliver))
    const message = { kind: 'quiet', userId: ben.userId, circleId, circle: 'Backend', endsAt: quiet.time('12:00') }
    expect(toBen?.map((push) => push.message)).toEqual([message])
    expect([toAnn, toCleo]).toEqual([[], []])
  })

  test('notifies once also if servers are killed while it begins', async ({ app, clock, pushService, quiet, skip }) => {
    if (app.db.engine === 'embedded') skip('the embedded database ends with its only server')
    await quiet.agree()
    await quiet.take(ben, { notifies: true })
    await subscribe(app, pushService, ben)
    let killed = 0
    for (let days = 1; killed < 20; days++) {
      clock.advance({ hours: 24 })
      quiet.at('10:00')
      // The one of the day before is over.
      await quiet.tick()
      const kill = async () => {
        killed += (await app.db.query(killTicks)).length
      }
      await Promise.allSettled([quiet.tick(), kill(), quiet.tick(), kill(), quiet.tick(), kill()])
      await quiet.tick()
      expect(await app.db.query(countQueued, { userId: ben.userId })).toEqual([{ count: days }])
    }
  })

  test('begins late after a pause of the server, and not at all once it is over', async ({
    app,
    clock,
    pushService,
    quiet,
  }) => {
    await quiet.agree()
    await quiet.take(ben, { notifies: true })
    const received = await subscribe(app, pushService, ben)
    quiet.at('11:30')
    await quiet.tick()
    await quiet.deliver()
    expect(received).toHaveLength(1)
    clock.advance({ hours: 24 })
    quiet.at('12:00')
    await quiet.tick()
    await quiet.deliver()
    expect(received).toHaveLength(1)
    clock.advance({ hours: 22 })
    await quiet.tick()
    await quiet.deliver()
    expect(received).toHaveLength(2)
  })

  test('notifies nobody who is in deeb mode, leaves out the week, or agreed to it only now', async ({
    app,
    pushService,
    quiet,
  }) => {
    await quiet.agree()
    for (const person of [ann, ben, cleo]) await quiet.take(person, { notifies: true })
    const all = await Promise.all([ann, ben, cleo].map((who) => subscribe(app, pushService, who)))
    await app.call(startFocus, { sessionId: uuidv7(), timeZone: ZONE }, ben)
    await quiet.skip(cleo)
    quiet.at('10:30')
    await quiet.agree([{ ...NOON, to: NOON.to + 60 }])
    await quiet.tick()
    await quiet.deliver()
    expect(all).toEqual([[], [], []])
    await quiet.agree()
    quiet.at('12:00')
    await quiet.tick()
    expect(await quiet.home(ann)).toEqual([])
  })

  test('says nothing once its receiver takes no part any more', async ({ app, pushService, quiet }) => {
    await quiet.agree()
    await quiet.take(ben, { notifies: true })
    const received = await subscribe(app, pushService, ben)
    quiet.at('10:00')
    await quiet.tick()
    await quiet.take(ben, { takesPart: false })
    await quiet.deliver()
    expect(received).toEqual([])
  })
})

describe('threat 280: who takes part', () => {
  test('is in no answer to anybody else, and in nothing that they receive', async ({ app, quiet }) => {
    await quiet.agree()
    async function answers(person: MadeUser): Promise<string> {
      const [circles, team, home] = await Promise.all([
        app.call(readCircles, {}, person),
        app.call(readTeam, {}, person),
        app.call(readHome, { timeZone: ZONE }, person),
      ])
      return JSON.stringify([circles.body, team.body, home.body])
    }
    const others = [ann, cleo]
    const before = await Promise.all(others.map(answers))
    const [own, ...streams] = await Promise.all([ben, ...others].map((person) => openStream(app, person)))
    const changes = (stream: TestStream | undefined, count: number) =>
      stream?.until(() => stream.of('team-changed').length === count)
    await quiet.take(ben, { notifies: true, switchesOn: true })
    await changes(own, 1)
    await quiet.skip(ben)
    await changes(own, 2)
    expect(await Promise.all(others.map(answers))).toEqual(before)
    // All learn of new times, and of nothing before.
    await quiet.agree([])
    for (const stream of streams) {
      await changes(stream, 1)
      expect(stream.deliveries.flat().map(({ type }) => type)).toEqual(['hello', 'team-changed'])
    }
  })

  test('changes nothing that another member receives at the start, nor when', async ({ app, pushService, quiet }) => {
    await Promise.all([ben, cleo].map((person) => subscribe(app, pushService, person)))
    const received = await subscribe(app, pushService, ann)
    /** All that Ann has of a quiet time that begins some minutes after 8:00. */
    async function start(minutes: number, others: MadeUser[]) {
      await quiet.agree([{ ...NOON, from: 10 * 60 + minutes }])
      for (const person of [ann, ...others]) await quiet.take(person, { notifies: true })
      const stream = await openStream(app, ann)
      quiet.at(`08:0${minutes}`)
      await quiet.tick()
      const due = await app.db.query(dueOf, { userId: ann.userId })
      await quiet.deliver()
      const home = await quiet.home(ann)
      // Her own change, and nothing before it.
      await quiet.take(ann, { notifies: false })
      await stream.until(() => stream.of('team-changed').length > 0)
      const events = stream.deliveries.flat().map(({ type }) => type)
      return { due, sizes: received.splice(0).map(({ size }) => size), home: home?.length, events }
    }
    const alone = await start(1, [])
    const together = await start(2, [ben, cleo])
    expect(together.due).toEqual([{ time: new Date(quiet.time('08:02')) }])
    expect(together).toEqual({ ...alone, due: together.due })
    expect(alone).toMatchObject({ sizes: [expect.any(Number)], home: 1, events: ['hello', 'team-changed'] })
  })

  test('is in the data of the person alone', async ({ app, quiet }) => {
    await quiet.agree()
    await quiet.take(ben, { notifies: true })
    const exported = async (person: MadeUser) => JSON.stringify((await app.call(readMyData, {}, person)).body)
    expect(await exported(ben)).toContain('"notifies":true')
    expect(await exported(ann)).not.toContain('"notifies":true')
  })
})
