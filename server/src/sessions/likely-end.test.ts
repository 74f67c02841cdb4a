import { readMyData } from '@deeb/core/account/api'
import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import {
  addSession,
  correctSession,
  discardSession,
  keepSession,
  readLikelyEnd,
  type StillOnCause,
  touchSession,
} from '@deeb/core/sessions/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { closeForgottenSessions } from '../focus/close-forgotten.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

const BERLIN = 'Europe/Berlin'

let testApp: TestApp
let mara: MadeUser
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.clock.set(at('06-15T07:00:00'))
  mara = await makeUser(testApp)
})
afterEach(() => expectConsistent(testApp, mara))

/** Times of 2026, as `06-15T08:00:00`, in UTC. */
function at(time: string): string {
  return `2026-${time}.000Z`
}
const setClock = (time: string) => testApp.clock.set(at(time))

async function start(timeZone = BERLIN): Promise<string> {
  return (await testApp.call(startFocus, { sessionId: uuidv7(), timeZone }, mara)).body.session.id
}
const stop = (sessionId: string) => testApp.call(stopFocus, { sessionId }, mara)
const read = (sessionId: string, user = mara) => testApp.call(readLikelyEnd, { sessionId }, user)

/** Reports a touch, by default of now. */
function touch(sessionId: string, { minutesAgo = 0, answers = [] as StillOnCause[], user = mara } = {}) {
  const sentAt = testApp.clock.now()
  const actedAt = new Date(sentAt.getTime() - minutesAgo * 60_000)
  const times = { actedAt: actedAt.toISOString(), sentAt: sentAt.toISOString() }
  return testApp.call(touchSession, { sessionId, times, answers }, user)
}

/** The columns about touches in all that is stored about the user. */
async function stored(): Promise<unknown[]> {
  const { deeb_sessions } = (await testApp.call(readMyData, {}, mara)).body as unknown as {
    deeb_sessions: { last_touch_at: string | null; still_on_answers: string[] | null }[]
  }
  return deeb_sessions.map(({ last_touch_at, still_on_answers }) => [last_touch_at, still_on_answers])
}

describe('a touch', () => {
  test('is known on every device, and the latest one counts', async () => {
    const id = await start()
    expect((await read(id)).body).toEqual({ lastTouchAt: null, usualEndAt: null, answers: [] })
    setClock('06-15T09:00:00')
    await touch(id, { minutesAgo: 10 })
    expect((await read(id)).body.lastTouchAt).toBe(at('06-15T08:50:00'))
    await touch(id, { minutesAgo: 30 })
    expect((await read(id)).body.lastTouchAt).toBe(at('06-15T08:50:00'))
    await touch(id)
    expect((await read(id)).body.lastTouchAt).toBe(at('06-15T09:00:00'))
  })

  test('before the start counts as the start', async () => {
    const id = await start()
    await touch(id, { minutesAgo: 60 })
    expect((await read(id)).body.lastTouchAt).toBe(at('06-15T07:00:00'))
  })

  test('in the future is refused', async () => {
    expect((await touch(await start(), { minutesAgo: -3 })).error.code).toBe('ahead_of_time')
  })

  test('remembers each answered question once, also when concurrent', async () => {
    const id = await start()
    await Promise.all([
      touch(id, { answers: ['untouched'] }),
      touch(id, { answers: ['untouched', 'usual_end'] }),
      touch(id, { answers: ['untouched'] }),
    ])
    await touch(id)
    expect((await read(id)).body.answers).toEqual(['untouched', 'usual_end'])
  })

  test('of a session that is not open, unknown or of another user is refused', async () => {
    const id = await start()
    const other = await makeUser(testApp)
    for (const answer of [await touch(id, { user: other }), await read(id, other), await touch(uuidv7())]) {
      expect([answer.status, answer.error.code]).toEqual([404, 'session_not_found'])
    }
    await stop(id)
    expect([(await touch(id)).status, (await read(id)).status]).toEqual([404, 404])
    expect(await stored()).toEqual([[null, null]])
  })
})

describe('a touch is deleted', () => {
  const openAndTouched = async () => {
    const id = await start()
    setClock('06-15T08:00:00')
    await touch(id, { answers: ['untouched'] })
    expect(await stored()).toEqual([['2026-06-15T08:00:00+00:00', ['untouched']]])
    return id
  }

  test('when the session ends, on time or replayed', async () => {
    await stop(await openAndTouched())
    expect(await stored()).toEqual([[null, null]])
    mara = await makeUser(testApp)
    setClock('06-15T07:00:00')
    const id = await openAndTouched()
    const now = testApp.clock.now().toISOString()
    const changes = [{ to: 'off', sessionId: id, actedAt: at('06-15T07:50:00') } as const]
    await testApp.call(replaySwitches, { sentAt: now, changes }, mara)
    expect(await stored()).toEqual([[null, null]])
  })

  test.each([
    ['kept', (sessionId: string) => testApp.call(keepSession, { sessionId }, mara)],
    [
      'corrected',
      (sessionId: string) => testApp.call(correctSession, { sessionId, endedAt: at('06-15T08:00:00') }, mara),
    ],
    ['discarded', (sessionId: string) => testApp.call(discardSession, { sessionId }, mara)],
    ['ended by a late stop', (sessionId: string) => lateStop(sessionId)],
  ])('when a forgotten session is %s, and not before', async (_, settle) => {
    const id = await openAndTouched()
    testApp.clock.advance({ hours: 17 })
    await closeForgottenSessions(testApp.db, testApp.clock.now())
    expect((await read(id)).body).toMatchObject({ lastTouchAt: at('06-15T08:00:00') })
    expect((await touch(id)).status).toBe(404)
    expect((await settle(id)).status).toBe(200)
    expect(await stored()).toEqual([[null, null]])
    expect((await read(id)).status).toBe(404)
  })

  function lateStop(sessionId: string) {
    const sentAt = testApp.clock.now().toISOString()
    return testApp.call(stopFocus, { sessionId, times: { actedAt: at('06-15T09:00:00'), sentAt } }, mara)
  }
})

describe('privacy', () => {
  test('no touch reaches another user, and an answer reaches only devices of the user', async () => {
    const friend = await makeUser(testApp)
    await makeConnection(testApp, mara, friend)
    const id = await start()
    const own = await openStream(testApp, mara)
    const theirs = await openStream(testApp, friend)
    await touch(id)
    await touch(id, { answers: ['untouched'] })
    await own.until((stream) => stream.of('still-on').length === 1)
    // A later change, which the connection receives.
    await stop(id)
    await theirs.until((stream) => stream.of('presence').length > 0)
    expect(theirs.deliveries.flat().map(({ type }) => type)).toEqual(['hello', 'presence'])
    expect(own.of('me-changed')).toHaveLength(1)
    for (const stream of [own, theirs]) stream.leave()
  })
})

describe('the usual end', () => {
  /** Adds a session in each of the given days before 15 June, with these times in UTC. */
  async function daysOf(...ends: string[]): Promise<void> {
    for (const [n, end] of ends.entries()) {
      const date = `06-${String(14 - n).padStart(2, '0')}`
      testApp.clock.set(at(`${date}T22:30:00`))
      await add(`${date}T08:00:00`, `${date}T09:00:00`)
      await add(`${date}T10:00:00`, `${date}T${end}:00`)
    }
    setClock('06-15T07:00:00')
  }
  const add = (from: string, to: string, timeZone = BERLIN) =>
    testApp.call(addSession, { sessionId: uuidv7(), startedAt: at(from), endedAt: at(to), timeZone }, mara)
  const usualEnd = async (timeZone = BERLIN) => (await read(await start(timeZone))).body.usualEndAt

  test('is the median end of earlier days, from 5 days on, to 5 minutes', async () => {
    await daysOf('16:00', '12:00', '16:33', '16:02')
    expect(await usualEnd()).toBeNull()
    mara = await makeUser(testApp)
    await daysOf('16:00', '12:00', '16:33', '16:02', '21:00')
    expect(await usualEnd()).toBe(at('06-15T16:00:00'))
  })

  test('is the same time on the clock in another time zone', async () => {
    await daysOf('16:00', '16:00', '16:00', '16:00', '16:00')
    // 18:00 in Berlin. In Los Angeles it is 08:00, and 18:00 there is 01:00 UTC.
    testApp.clock.set(at('06-15T15:00:00'))
    expect(await usualEnd('America/Los_Angeles')).toBe(at('06-16T01:00:00'))
  })

  test('is the same time on the clock after a clock change', async () => {
    // 18:00 in Berlin is 17:00 UTC in winter, and 16:00 in summer.
    for (const date of ['03-23', '03-24', '03-25', '03-26', '03-27']) {
      testApp.clock.set(at(`${date}T20:00:00`))
      if (date === '03-23') mara = await makeUser(testApp)
      await add(`${date}T10:00:00`, `${date}T17:00:00`)
    }
    setClock('03-30T07:00:00')
    expect(await usualEnd()).toBe(at('03-30T16:00:00'))
  })

  test('of a person who works past midnight is on the next date', async () => {
    for (const date of [10, 11, 12, 13, 14]) {
      testApp.clock.set(at(`06-${date}T23:30:00`))
      // 20:00 to 00:30.
      await add(`06-${date}T18:00:00`, `06-${date}T22:30:00`)
    }
    testApp.clock.set(at('06-15T18:00:00'))
    expect(await usualEnd()).toBe(at('06-15T22:30:00'))
  })

  test('ignores sessions of the same day, under a minute, deleted, forgotten, older than 4 weeks and of others', async () => {
    await daysOf('16:00', '16:00', '16:00', '16:00', '16:00')
    const other = mara
    mara = await makeUser(testApp)
    expect(await usualEnd()).toBeNull()
    await stop(await start())
    mara = other
    testApp.clock.set(at('06-14T21:59:00'))
    await add('06-14T20:00:00', '06-14T20:00:59')
    const deleted = (await add('06-14T20:10:00', '06-14T20:30:00')).body.session.id
    await testApp.call(discardSession, { sessionId: deleted }, mara)
    await testApp.db.script(`update deeb_sessions set capped = true
      where user_id = '${mara.userId}' and start_date in ('2026-06-13', '2026-06-12') and start_time::time > '09:30'`)
    setClock('06-15T10:00:00')
    await add('06-15T08:00:00', '06-15T09:00:00')
    // Of two days only the session from 10 to 11 in Berlin is left.
    expect(await usualEnd()).toBe(at('06-15T16:00:00'))
    await testApp.db.script(`update deeb_sessions set capped = true
      where user_id = '${mara.userId}' and start_date = '2026-06-11' and start_time::time > '09:30'`)
    expect(await usualEnd()).toBe(at('06-15T09:00:00'))
    testApp.clock.set(at('07-14T10:00:00'))
    await closeForgottenSessions(testApp.db, testApp.clock.now())
    expect(await usualEnd()).toBeNull()
  })

  test('of a forgotten session is that of its own day', async () => {
    await daysOf('16:00', '16:00', '16:00', '16:00', '16:00')
    const id = await start()
    setClock('06-16T12:00:00')
    await closeForgottenSessions(testApp.db, testApp.clock.now())
    expect((await read(id)).body.usualEndAt).toBe(at('06-15T16:00:00'))
  })
})
