import { replaySwitches, startFocus } from '@deeb/core/focus/api'
import { saveGoals } from '@deeb/core/goals/api'
import { everyDay } from '@deeb/core/goals/week-of-goals'
import { readHome } from '@deeb/core/home/api'
import { addSession } from '@deeb/core/sessions/api'
import { readWeek } from '@deeb/core/stats/api'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const test = base
  .extend('ann', ({ app }) => makeUser(app))
  .extend(
    'zones',
    ({ app, ann }) =>
      async () =>
        (await app.db.query<{ time_zone: string }>(read, { userId: ann.userId })).map(({ time_zone }) => time_zone),
  )

test.beforeEach(async ({ clock }) => {
  clock.set('2026-06-15T20:30:00Z')
})

/** No server knows these. The first could be the name of a zone that is newer than the server. */
const UNKNOWN = ['America/New_Coyhaique', 'Etc/Unknown', '', 'Foo/Bar', '\0']

const read = statement('test.zones', 'select time_zone from deeb_sessions where user_id = :userId order by start_time')
const at = (time: string) => `2026-06-15T${time}:00.000Z`
const range = { startedAt: at('08:00'), endedAt: at('09:00') }

test.for(UNKNOWN)('every call with the time zone %j goes by the UTC offset', async (timeZone, { app, ann, zones }) => {
  const zone = { timeZone, utcOffset: '+05:45' }
  const home = await app.call(readHome, zone, ann)
  expect([home.status, home.body.today]).toMatchObject([
    200,
    { date: '2026-06-16', endsAt: '2026-06-16T18:15:00.000Z' },
  ])
  const week = await app.call(readWeek, zone, ann)
  expect([week.status, week.body.week[1]?.startsAt]).toEqual([200, '2026-06-15T18:15:00.000Z'])
  expect((await app.call(startFocus, { sessionId: uuidv7(), ...zone }, ann)).status).toBe(200)
  expect((await app.call(addSession, { sessionId: uuidv7(), ...range, ...zone }, ann)).status).toBe(200)
  expect((await app.call(saveGoals, { goals: everyDay(60), ...zone }, ann)).status).toBe(200)
  expect(await zones()).toEqual(['+05:45', '+05:45'])
})

test.for(UNKNOWN)(
  'three queued switches with the time zone %j are all applied',
  async (timeZone, { app, ann, zones }) => {
    const sessionIds = [uuidv7(), uuidv7()] as const
    const on = (sessionId: string, time: string) =>
      ({ to: 'on', sessionId, timeZone, utcOffset: '-03:00', actedAt: at(time) }) as const
    const changes = [
      on(sessionIds[0], '08:00'),
      { to: 'off', sessionId: sessionIds[0], actedAt: at('09:00') } as const,
      on(sessionIds[1], '20:00'),
    ]
    const { status, body } = await app.call(replaySwitches, { sentAt: at('20:30'), changes }, ann)
    expect([status, body.refused, body.openSession?.id]).toEqual([200, [], sessionIds[1]])
    expect(await zones()).toEqual(['-03:00', '-03:00'])
  },
)

test('an unknown name counts as the last zone of the person that had this offset then', async ({ app, ann, zones }) => {
  const add = (hour: number, zone: { timeZone: string; utcOffset?: string }) => {
    const times = { startedAt: at(`0${hour}:00`), endedAt: at(`0${hour}:30`) }
    return app.call(addSession, { sessionId: uuidv7(), ...times, ...zone }, ann)
  }
  for (const [hour, timeZone] of ['Africa/Cairo', 'Europe/Berlin', 'Asia/Tokyo', 'America/Lima'].entries()) {
    await add(hour, { timeZone })
  }
  // In summer Berlin is two hours ahead, and Cairo three.
  await add(6, { timeZone: 'Europe/New_Berlin', utcOffset: '+02:00' })
  await add(7, { timeZone: 'Europe/New_Berlin', utcOffset: '+01:00' })
  expect((await zones()).slice(-2)).toEqual(['Europe/Berlin', '+01:00'])
})

test('an unknown name without an offset is refused, and so is an offset that no zone has', async ({ app, ann }) => {
  for (const timeZone of UNKNOWN) {
    const answer = await app.call(readHome, { timeZone }, ann)
    expect([answer.status, answer.error.code]).toEqual([400, 'invalid_time_zone'])
  }
  for (const utcOffset of ['+14:01', '-15:00', '+99:00', '+5:45', '05:45', '+0545', '']) {
    const answer = await app.call(readHome, { timeZone: 'Foo/Bar', utcOffset }, ann)
    expect([answer.status, answer.error.code]).toEqual([400, 'invalid_input'])
  }
})
