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
import { describe, expect } from 'vitest'
import { closeForgottenSessions } from '../focus/close-forgotten.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makeUser } from '../testing/make.ts'
import { test as base, type FixturesOf } from '../testing/test.ts'

const BERLIN = 'Europe/Berlin'

const test = base.extend('focus', ({ app, clock }) => {
  const setClock = (time: string) => clock.set(at(time))
  async function start(timeZone = BERLIN): Promise<string> {
    return (await app.call(startFocus, { sessionId: uuidv7(), timeZone }, mara)).body.session.id
  }
  const stop = (sessionId: string) => app.call(stopFocus, { sessionId }, mara)
  const read = (sessionId: string, user = mara) => app.call(readLikelyEnd, { sessionId }, user)
  /** Reports a touch, by default of now. */
  function touch(sessionId: string, { minutesAgo = 0, answers = [] as StillOnCause[], user = mara } = {}) {
    const sentAt = clock.now()
    const actedAt = new Date(sentAt.getTime() - minutesAgo * 60_000)
    const times = { actedAt: actedAt.toISOString(), sentAt: sentAt.toISOString() }
    return app.call(touchSession, { sessionId, times, answers }, user)
  }
  /** The columns about touches in all that is stored about the user. */
  async function stored(): Promise<unknown[]> {
    const { deeb_sessions } = (await app.call(readMyData, {}, mara)).body as unknown as {
      deeb_sessions: { last_touch_at: string | null; still_on_answers: string[] | null }[]
    }
    return deeb_sessions.map(({ last_touch_at, still_on_answers }) => [last_touch_at, still_on_answers])
  }
  const openAndTouched = async () => {
    const id = await start()
    setClock('06-15T08:00:00')
    await touch(id, { answers: ['untouched'] })
    expect(await stored()).toEqual([['2026-06-15T08:00:00+00:00', ['untouched']]])
    return id
  }
  function lateStop(sessionId: string) {
    const sentAt = clock.now().toISOString()
    return app.call(stopFocus, { sessionId, times: { actedAt: at('06-15T09:00:00'), sentAt } }, mara)
  }
  const add = (from: string, to: string, timeZone = BERLIN) =>
    app.call(addSession, { sessionId: uuidv7(), startedAt: at(from), endedAt: at(to), timeZone }, mara)
  const usualEnd = async (timeZone = BERLIN) => (await read(await start(timeZone))).body.usualEndAt
  return { setClock, start, stop, read, touch, stored, openAndTouched, lateStop, add, usualEnd }
})

let mara: MadeUser
test.beforeEach(async ({ app, clock }) => {
  clock.set(at('06-15T07:00:00'))
  mara = await makeUser(app)
})
test.afterEach(({ app }) => expectConsistent(app, mara))

/** Times of 2026, as `06-15T08:00:00`, in UTC. */
function at(time: string): string {
  return `2026-${time}.000Z`
}

describe('a touch', () => {
  test('is known on every device, and the latest one counts', async ({ focus }) => {
    const id = await focus.start()
    expect((await focus.read(id)).body).toEqual({ lastTouchAt: null, usualEndAt: null, answers: [] })
    focus.setClock('06-15T09:00:00')
    await focus.touch(id, { minutesAgo: 10 })
    expect((await focus.read(id)).body.lastTouchAt).toBe(at('06-15T08:50:00'))
    await focus.touch(id, { minutesAgo: 30 })
    expect((await focus.read(id)).body.lastTouchAt).toBe(at('06-15T08:50:00'))
    await focus.touch(id)
    expect((await focus.read(id)).body.lastTouchAt).toBe(at('06-15T09:00:00'))
  })

  test('before the start counts as the start', async ({ focus }) => {
    const id = await focus.start()
    await focus.touch(id, { minutesAgo: 60 })
    expect((await focus.read(id)).body.lastTouchAt).toBe(at('06-15T07:00:00'))
  })

  test('in the future is refused', async ({ focus }) => {
    expect((await focus.touch(await focus.start(), { minutesAgo: -3 })).error.code).toBe('ahead_of_time')
  })

  test('remembers each answered question once, also when concurrent', async ({ focus }) => {
    const id = await focus.start()
    await Promise.all([
      focus.touch(id, { answers: ['untouched'] }),
      focus.touch(id, { answers: ['untouched', 'usual_end'] }),
      focus.touch(id, { answers: ['untouched'] }),
    ])
    await focus.touch(id)
    expect((await focus.read(id)).body.answers).toEqual(['untouched', 'usual_end'])
  })

  test('of a session that is not open, unknown or of another user is refused', async ({ app, focus }) => {
    const id = await focus.start()
    const other = await makeUser(app)
    for (const answer of [
      await focus.touch(id, { user: other }),
      await focus.read(id, other),
      await focus.touch(uuidv7()),
    ]) {
      expect([answer.status, answer.error.code]).toEqual([404, 'session_not_found'])
    }
    await focus.stop(id)
    expect([(await focus.touch(id)).status, (await focus.read(id)).status]).toEqual([404, 404])
    expect(await focus.stored()).toEqual([[null, null]])
  })
})

type Fixtures = Pick<FixturesOf<typeof test>, 'app' | 'focus'>

describe('a stored touch', () => {
  test('is deleted when the session ends, on time or replayed', async ({ app, clock, focus }) => {
    await focus.stop(await focus.openAndTouched())
    expect(await focus.stored()).toEqual([[null, null]])
    mara = await makeUser(app)
    focus.setClock('06-15T07:00:00')
    const id = await focus.openAndTouched()
    const now = clock.now().toISOString()
    const changes = [{ to: 'off', sessionId: id, actedAt: at('06-15T07:50:00') } as const]
    await app.call(replaySwitches, { sentAt: now, changes }, mara)
    expect(await focus.stored()).toEqual([[null, null]])
  })

  test.for([
    ['kept', ({ app }: Fixtures, sessionId: string) => app.call(keepSession, { sessionId }, mara)],
    [
      'corrected',
      ({ app }: Fixtures, sessionId: string) =>
        app.call(correctSession, { sessionId, endedAt: at('06-15T08:00:00') }, mara),
    ],
    ['discarded', ({ app }: Fixtures, sessionId: string) => app.call(discardSession, { sessionId }, mara)],
    ['ended by a late stop', ({ focus }: Fixtures, sessionId: string) => focus.lateStop(sessionId)],
  ] as const)(
    'is deleted when a forgotten session is %s, and not before',
    async ([_, settle], { app, clock, focus }) => {
      const id = await focus.openAndTouched()
      clock.advance({ hours: 17 })
      await closeForgottenSessions(app.db, clock.now())
      expect((await focus.read(id)).body).toMatchObject({ lastTouchAt: at('06-15T08:00:00') })
      expect((await focus.touch(id)).status).toBe(404)
      expect((await settle({ app, focus }, id)).status).toBe(200)
      expect(await focus.stored()).toEqual([[null, null]])
      expect((await focus.read(id)).status).toBe(404)
    },
  )
})

describe('privacy', () => {
  test('no touch reaches another user, and an answer reaches only devices of the user', async ({ app, focus }) => {
    const friend = await makeUser(app)
    await makeConnection(app, mara, friend)
    const id = await focus.start()
    const own = await openStream(app, mara)
    const theirs = await openStream(app, friend)
    await focus.touch(id)
    await focus.touch(id, { answers: ['untouched'] })
    await own.until((stream) => stream.of('still-on').length === 1)
    // A later change, which the connection receives.
    await focus.stop(id)
    await theirs.until((stream) => stream.of('presence').length > 0)
    expect(theirs.deliveries.flat().map(({ type }) => type)).toEqual(['hello', 'presence'])
    expect(own.of('me-changed')).toHaveLength(1)
    for (const stream of [own, theirs]) stream.leave()
  })
})

describe('the usual end', () => {
  /** Adds a session in each of the given days before 15 June, with these times in UTC. */
  async function daysOf(focus: Fixtures['focus'], ...ends: string[]): Promise<void> {
    for (const [n, end] of ends.entries()) {
      const date = `06-${String(14 - n).padStart(2, '0')}`
      focus.setClock(`${date}T22:30:00`)
      await focus.add(`${date}T08:00:00`, `${date}T09:00:00`)
      await focus.add(`${date}T10:00:00`, `${date}T${end}:00`)
    }
    focus.setClock('06-15T07:00:00')
  }

  test('is the median end of earlier days, from 5 days on, to 5 minutes', async ({ app, focus }) => {
    await daysOf(focus, '16:00', '12:00', '16:33', '16:02')
    expect(await focus.usualEnd()).toBeNull()
    mara = await makeUser(app)
    await daysOf(focus, '16:00', '12:00', '16:33', '16:02', '21:00')
    expect(await focus.usualEnd()).toBe(at('06-15T16:00:00'))
  })

  test('is the same time on the clock in another time zone', async ({ clock, focus }) => {
    await daysOf(focus, '16:00', '16:00', '16:00', '16:00', '16:00')
    // 18:00 in Berlin. In Los Angeles it is 08:00, and 18:00 there is 01:00 UTC.
    clock.set(at('06-15T15:00:00'))
    expect(await focus.usualEnd('America/Los_Angeles')).toBe(at('06-16T01:00:00'))
  })

  test('is the same time on the clock after a clock change', async ({ app, clock, focus }) => {
    // 18:00 in Berlin is 17:00 UTC in winter, and 16:00 in summer.
    for (const date of ['03-23', '03-24', '03-25', '03-26', '03-27']) {
      clock.set(at(`${date}T20:00:00`))
      if (date === '03-23') mara = await makeUser(app)
      await focus.add(`${date}T10:00:00`, `${date}T17:00:00`)
    }
    focus.setClock('03-30T07:00:00')
    expect(await focus.usualEnd()).toBe(at('03-30T16:00:00'))
  })

  test('of a person who works past midnight is on the next date', async ({ clock, focus }) => {
    for (const date of [10, 11, 12, 13, 14]) {
      clock.set(at(`06-${date}T23:30:00`))
      // 20:00 to 00:30.
      await focus.add(`06-${date}T18:00:00`, `06-${date}T22:30:00`)
    }
    clock.set(at('06-15T18:00:00'))
    expect(await focus.usualEnd()).toBe(at('06-15T22:30:00'))
  })

  test('ignores sessions of the same day, under a minute, deleted, forgotten, older than 4 weeks and of others', async ({
    app,
    clock,
    focus,
  }) => {
    await daysOf(focus, '16:00', '16:00', '16:00', '16:00', '16:00')
    const other = mara
    mara = await makeUser(app)
    expect(await focus.usualEnd()).toBeNull()
    await focus.stop(await focus.start())
    mara = other
    clock.set(at('06-14T21:59:00'))
    await focus.add('06-14T20:00:00', '06-14T20:00:59')
    const deleted = (await focus.add('06-14T20:10:00', '06-14T20:30:00')).body.session.id
    await app.call(discardSession, { sessionId: deleted }, mara)
    await app.db.script(`update deeb_sessions set capped = true
      where user_id = '${mara.userId}' and start_date in ('2026-06-13', '2026-06-12') and start_time::time > '09:30'`)
    focus.setClock('06-15T10:00:00')
    await focus.add('06-15T08:00:00', '06-15T09:00:00')
    // Of two days only the session from 10 to 11 in Berlin is left.
    expect(await focus.usualEnd()).toBe(at('06-15T16:00:00'))
    await app.db.script(`update deeb_sessions set capped = true
      where user_id = '${mara.userId}' and start_date = '2026-06-11' and start_time::time > '09:30'`)
    expect(await focus.usualEnd()).toBe(at('06-15T09:00:00'))
    clock.set(at('07-14T10:00:00'))
    await closeForgottenSessions(app.db, clock.now())
    expect(await focus.usualEnd()).toBeNull()
  })

  test('of a forgotten session is that of its own day', async ({ app, clock, focus }) => {
    await daysOf(focus, '16:00', '16:00', '16:00', '16:00', '16:00')
    const id = await focus.start()
    focus.setClock('06-16T12:00:00')
    await closeForgottenSessions(app.db, clock.now())
    expect((await focus.read(id)).body.usualEndAt).toBe(at('06-15T16:00:00'))
  })
})
