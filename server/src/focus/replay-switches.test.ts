import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { correctSession, discardSession, keepSession } from '@deeb/core/sessions/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import { readWeek } from '@deeb/core/stats/api'
import { version as uuidVersion, v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { expectConsistent } from '../testing/invariants.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { makeTraveller } from '../testing/make-traveller.ts'
import { test as base } from '../testing/test.ts'
import type { TestApp } from '../testing/test-app.ts'
import { closeForgottenSessions } from './close-forgotten.ts'

const timeZone = 'Europe/Berlin'

const test = base.extend('focus', ({ app, clock }) => {
  const setClock = (time: string) => clock.set(at(time))
  const sentNow = (actedAt: string) => ({ actedAt: at(actedAt), sentAt: clock.now().toISOString() })
  const start = (sessionId: string, actedAt: string) =>
    app.call(startFocus, { sessionId, timeZone, times: sentNow(actedAt) }, mara)
  const stop = (sessionId: string, actedAt: string) => app.call(stopFocus, { sessionId, times: sentNow(actedAt) }, mara)
  /** Replays `+09:00 -10:00`: a start and a stop of the same new session, and so on, all in one time zone. */
  async function replay(text: string, zone = timeZone, ids: string[] = []) {
    let id = ''
    const changes = text.split(' ').map((change) => {
      if (change.startsWith('+')) {
        id = ids.shift() ?? uuidv7()
        return { to: 'on', sessionId: id, timeZone: zone, actedAt: at(change.slice(1)) } as const
      }
      return { to: 'off', sessionId: ids.shift() ?? id, actedAt: at(change.slice(1)) } as const
    })
    const sentAt = clock.now().toISOString()
    return app.call(replaySwitches, { sentAt, changes }, mara)
  }
  async function listed(): Promise<string[]> {
    const { sessions } = (await app.call(readSessions, {}, mara)).body
    const hours = (time: string | null) => (time ? time.slice(11, 16) : '')
    return sessions.map(({ startedAt, endedAt }) => `${hours(startedAt)}-${hours(endedAt)}`).reverse()
  }
  const home = async () => (await app.call(readHome, { timeZone }, mara)).body
  const savedMinutes = async () => {
    const { week } = (await app.call(readWeek, { timeZone }, mara)).body
    return week.reduce((sum, { savedSeconds }) => sum + savedSeconds / 60, 0)
  }
  const forgotten = async () => (await app.call(readHome, { timeZone }, mara)).body.forgottenSession
  return { setClock, start, stop, replay, listed, home, savedMinutes, forgotten }
})

let mara: MadeUser
test.beforeEach(async ({ app, focus }) => {
  focus.setClock('06:00')
  mara = await makeTraveller(app)
})
test.afterEach(({ app }) => expectConsistent(app, mara))

/** Times of 15 June 2026 in UTC; 30:00 is 06:00 of the next day. Berlin is two hours ahead. */
function at(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return new Date(Date.UTC(2026, 5, 15, hours, minutes)).toISOString()
}

describe('a single switch that arrives late', () => {
  test('counts from the time of the press, not of its arrival', async ({ app, focus }) => {
    focus.setClock('09:00')
    const id = uuidv7()
    const started = await focus.start(id, '08:30')
    expect(started.body.session).toEqual({ id, startedAt: at('08:30'), endedAt: null })
    expect((await app.call(readHome, { timeZone }, mara)).body.openSession?.startedAt).toBe(at('08:30'))
    focus.setClock('10:00')
    expect((await focus.stop(id, '09:30')).body.session).toEqual({ id, startedAt: at('08:30'), endedAt: at('09:30') })
    expect((await app.call(readHome, { timeZone }, mara)).body.today.savedSeconds).toBe(3600)
  })

  test.for([
    ['ahead of now by more than two minutes', '06:03', 'ahead_of_time'],
    ['of more than a week ago', '-168:-1', 'too_late'],
  ] as const)('%s is refused as start, as stop and in a replay', async ([_, actedAt, code], { focus }) => {
    const id = uuidv7()
    for (const answer of [await focus.start(id, actedAt), await focus.stop(id, actedAt)]) {
      expect([answer.status, answer.error.code]).toEqual([409, code])
    }
    const { status, body } = await focus.replay(`+${actedAt} +05:00 -05:30`, timeZone, [id])
    expect([status, body.refused]).toEqual([200, [{ sessionId: id, to: 'on', code }]])
    expect(await focus.listed()).toEqual(['05:00-05:30'])
  })

  test('a repeated request that has become too late is answered as at first', async ({ clock, focus }) => {
    focus.setClock('09:00')
    const [id, open] = [uuidv7(), uuidv7()]
    const ask = async () => {
      const answers = [await focus.start(id, '08:00'), await focus.stop(id, '08:30')]
      const { body } = await focus.replay('+08:00 -08:30', timeZone, [id])
      return [answers.map(({ status, body }) => [status, body.session]), body.refused]
    }
    await ask()
    const before = await ask()
    expect(before[1]).toEqual([])
    clock.advance({ hours: 8 * 24 })
    expect(await ask()).toEqual(before)
    expect((await focus.stop(open, '08:30')).error.code).toBe('too_late')
  })

  test('accepts an id in upper case and is idempotent', async ({ focus }) => {
    focus.setClock('09:00')
    const id = uuidv7()
    for (let time = 0; time < 2; time++) {
      expect((await focus.replay('+08:00', timeZone, [id.toUpperCase()])).status).toBe(200)
      expect((await focus.replay('-08:30', timeZone, [id.toUpperCase()])).body.refused).toEqual([])
    }
    expect(await focus.listed()).toEqual(['08:00-08:30'])
    expect((await focus.stop(id.toUpperCase(), '08:45')).body.session.id).toBe(id)
  })

  test('is idempotent across start, stop and replay', async ({ focus }) => {
    focus.setClock('09:00')
    const id = uuidv7()
    for (let time = 0; time < 2; time++) {
      await focus.start(id, '08:00')
      await focus.replay('+08:00 -08:30', timeZone, [id])
      await focus.stop(id, '08:45')
      expect(await focus.listed()).toEqual(['08:00-08:30'])
    }
  })
})

describe('a start that is reported twice with different times', () => {
  test.for([
    ['before', ['10:20', '10:00']],
    ['after', ['10:00', '10:20']],
  ] as const)(
    'fills all free time since the press, with the wrong time reported %s the right one',
    async ([_, reports], { focus }) => {
      focus.setClock('10:30')
      await focus.replay('+10:05 -10:10')
      const id = uuidv7()
      for (const actedAt of reports) expect((await focus.start(id, actedAt)).status).toBe(200)
      expect(await focus.listed()).toEqual(['10:00-10:05', '10:05-10:10'])
      expect((await focus.home()).openSession).toEqual({ id, startedAt: at('10:10'), endedAt: null })

      const { version } = await focus.home()
      expect((await focus.start(id, '10:00')).status).toBe(200)
      expect((await focus.home()).version).toBe(version)
      expect(await focus.listed()).toHaveLength(2)
    },
  )

  test.for([
    ['before', ['10:20', '10:00']],
    ['after', ['10:00', '10:20']],
  ] as const)(
    'fills the time before the open session of another device, with the wrong time reported %s the right one',
    async ([_, reports], { focus }) => {
      focus.setClock('10:30')
      await focus.replay('+10:05 -10:10')
      const { id } = (await focus.start(uuidv7(), '10:15')).body.session
      const second = uuidv7()
      for (const actedAt of reports) expect((await focus.start(second, actedAt)).body.session.id).toBe(id)
      expect(await focus.listed()).toEqual(['10:00-10:05', '10:05-10:10', '10:10-10:15'])
      expect((await focus.home()).openSession).toEqual({ id, startedAt: at('10:15'), endedAt: null })
    },
  )

  test('ends at its stop when that arrives with the right time', async ({ focus }) => {
    focus.setClock('10:30')
    await focus.replay('+10:05 -10:10')
    const id = uuidv7()
    await focus.start(id, '10:20')
    const replayed = () => focus.replay('+10:00 -10:03', 'America/Los_Angeles', [id])
    expect((await replayed()).body).toMatchObject({ openSession: null, refused: [] })
    expect(await focus.listed()).toEqual(['10:00-10:03', '10:05-10:10'])
    expect((await replayed()).body.refused).toEqual([])
    expect(await focus.listed()).toEqual(['10:00-10:03', '10:05-10:10'])
  })

  test('leaves no session when other sessions cover all its time', async ({ focus }) => {
    focus.setClock('10:30')
    await focus.replay('+10:00 -10:10')
    const id = uuidv7()
    await focus.start(id, '10:20')
    await focus.replay('+10:00 -10:05', timeZone, [id])
    expect(await focus.listed()).toEqual(['10:00-10:10'])
    expect((await focus.home()).openSession).toBeNull()
  })
})

test('every endpoint accepts the id of a session that the server created', async ({ app, focus }) => {
  focus.setClock('12:00')
  await focus.replay('+09:00 -10:00')
  await focus.replay('+08:00 -11:00')
  const { sessions } = (await app.call(readSessions, {}, mara)).body
  const [, , made] = sessions.map(({ id }) => id)
  if (!made) throw new Error('The server made no session.')
  expect(sessions.map(({ id }) => uuidVersion(id))).toEqual([7, 7, 4])

  expect((await focus.start(made, '11:30')).body.session).toEqual({
    id: made,
    startedAt: at('08:00'),
    endedAt: at('09:00'),
  })
  expect((await focus.stop(made, '11:30')).body.session.endedAt).toBe(at('09:00'))
  const { status, body } = await focus.replay('+11:00 -11:10 +11:20 -11:30', timeZone, [made, made, uuidv7(), made])
  expect([status, body.refused]).toEqual([200, []])
  expect(await focus.listed()).toEqual(['08:00-09:00', '09:00-10:00', '10:00-11:00', '11:20-11:30'])
  expect((await app.call(correctSession, { sessionId: made, startedAt: at('08:30') }, mara)).status).toBe(200)
  expect((await app.call(keepSession, { sessionId: made }, mara)).error.code).toBe('session_not_found')
  expect((await app.call(discardSession, { sessionId: made }, mara)).status).toBe(200)
})

test('a start during a session of 16 hours that arrives after its end opens a session at that end', async ({
  focus,
}) => {
  await focus.start(uuidv7(), '06:00')
  focus.setClock('22:00')
  const id = uuidv7()
  expect((await focus.start(id, '06:30')).body.session).toEqual({ id, startedAt: at('22:00'), endedAt: null })
  expect(await focus.listed()).toEqual(['06:00-22:00'])
})

describe('a replay of several switches', () => {
  test('splits sessions by local date in the time zone of their start', async ({ app, focus }) => {
    focus.setClock('30:00')
    await focus.replay('+20:30 -23:00')
    await focus.replay('+24:00 -25:00', 'America/Los_Angeles')
    const { week } = (await app.call(readWeek, { timeZone }, mara)).body
    expect(week.slice(0, 2).map(({ savedSeconds }) => savedSeconds / 60)).toEqual([90 + 60, 60])
  })

  test('leaves deeb mode on only if its last switch is a start, with the session of that id', async ({ focus }) => {
    focus.setClock('12:00')
    expect((await focus.replay('+08:00 -09:00')).body.openSession).toBeNull()
    const id = uuidv7()
    const { openSession } = (await focus.replay('+10:00 -10:30 +11:00')).body
    expect(openSession?.startedAt).toBe(at('11:00'))
    expect((await focus.replay('-11:30 +11:40', timeZone, [openSession?.id ?? '', id])).body.openSession).toEqual({
      id,
      startedAt: at('11:40'),
      endedAt: null,
    })
    expect(await focus.listed()).toEqual(['08:00-09:00', '10:00-10:30', '11:00-11:30'])
  })

  test('does not change the open session of another device', async ({ focus }) => {
    focus.setClock('08:00')
    const { id } = (await focus.start(uuidv7(), '08:00')).body.session
    focus.setClock('12:00')
    const { body } = await focus.replay('+07:00 -09:00 +10:00 -11:00')
    expect(body).toMatchObject({ openSession: { id, startedAt: at('08:00') }, refused: [] })
    expect(await focus.listed()).toEqual(['07:00-08:00'])
  })

  test('a stop also ends the starts before it, even one that was sent alone', async ({ focus }) => {
    focus.setClock('12:00')
    const [first, second, alone] = [uuidv7(), uuidv7(), uuidv7()]
    for (let time = 0; time < 2; time++) {
      const { body } = await focus.replay('+09:00 +09:10 -09:30', timeZone, [first, second, first])
      expect(body).toMatchObject({ openSession: null, refused: [] })
    }
    await focus.start(alone, '10:00')
    for (let time = 0; time < 2; time++) {
      const { body } = await focus.replay('+10:00 -10:30', timeZone, [alone, first])
      expect(body).toMatchObject({ openSession: null, refused: [] })
    }
    expect(await focus.listed()).toEqual(['09:00-09:30', '10:00-10:30'])
  })

  test('refuses a start with an unknown time zone and applies the others', async ({ focus }) => {
    focus.setClock('12:00')
    const { body } = await focus.replay('+08:00 -09:00', 'Europe/Atlantis')
    expect(body.refused.map(({ code }) => code)).toEqual(['invalid_time_zone', 'session_not_found'])
    expect((await focus.replay('+08:00 -09:00')).body.refused).toEqual([])
    expect(await focus.listed()).toEqual(['08:00-09:00'])
  })

  test("refuses another user's session as not found", async ({ app, focus }) => {
    const { id } = (await focus.start(uuidv7(), '06:00')).body.session
    const owner = mara
    mara = await makeUser(app)
    focus.setClock('08:00')
    expect((await focus.replay('-07:00', timeZone, [id])).body.refused).toEqual([
      { sessionId: id, to: 'off', code: 'session_not_found' },
    ])
    mara = owner
    expect((await app.call(readHome, { timeZone }, mara)).body.openSession?.id).toBe(id)
  })
})

describe('a session that the server ended after 16 hours', () => {
  let id: string
  test.beforeEach(async ({ app, clock, focus }) => {
    id = (await focus.start(uuidv7(), '06:00')).body.session.id
    focus.setClock('24:00')
    await closeForgottenSessions(app.db, clock.now())
  })

  test('takes the earlier end of an offline stop and asks no question', async ({ focus }) => {
    expect(await focus.savedMinutes()).toBe(16 * 60)
    expect((await focus.stop(id, '07:30')).body.session.endedAt).toBe(at('07:30'))
    expect([await focus.savedMinutes(), await focus.forgotten()]).toEqual([90, null])
    // The first such end stays.
    expect((await focus.stop(id, '07:00')).body.session.endedAt).toBe(at('07:30'))
  })

  test('frees the time after that end for later switches of the device', async ({ focus }) => {
    expect((await focus.replay('-07:30 +08:00 -09:00', timeZone, [id])).body.refused).toEqual([])
    expect(await focus.listed()).toEqual(['06:00-07:30', '08:00-09:00'])
  })

  test('frees its time for an earlier session in the same replay', async ({ focus }) => {
    const later = uuidv7()
    await focus.start(later, '23:00')
    const { body } = await focus.replay('-05:00 +05:30 -07:00', timeZone, [id, later, later])
    expect(body).toMatchObject({ openSession: null, refused: [] })
    expect(await focus.savedMinutes()).toBe(90)
  })

  test.for([
    ['kept', (app: TestApp) => app.call(keepSession, { sessionId: id }, mara), '22:00', 16 * 60],
    [
      'corrected',
      (app: TestApp) => app.call(correctSession, { sessionId: id, endedAt: at('10:00') }, mara),
      '10:00',
      4 * 60,
    ],
    ['deleted', (app: TestApp) => app.call(discardSession, { sessionId: id }, mara), '06:00', 0],
  ] as const)('stays unchanged after its user has %s it', async ([_, answer, end, minutes], { app, focus }) => {
    expect((await answer(app)).status).toBe(200)
    expect((await focus.stop(id, '07:30')).body.session).toEqual({ id, startedAt: at('06:00'), endedAt: at(end) })
    expect((await focus.replay('+06:00 -07:30', timeZone, [id])).body.refused).toEqual([])
    expect(await focus.savedMinutes()).toBe(minutes)
  })
})
