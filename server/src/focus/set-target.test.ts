import { deleteAccount, readMyData } from '@deeb/core/account/api'
import { replaySwitches, setTarget, startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { correctSession, discardSession, keepSession, restoreSession } from '@deeb/core/sessions/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import { readTeam } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { statement, violatedConstraint } from '../db/db.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makeUser, PASSWORD } from '../testing/make.ts'
import { test as base, type FixturesOf } from '../testing/test.ts'
import { closeForgottenSessions } from './close-forgotten.ts'
import { closeOpenSession } from './close-open.ts'

const test = base.extend('focus', ({ app, clock }) => {
  async function start(targetMinutes?: number, sessionId = uuidv7()): Promise<string> {
    const input = { sessionId, timeZone, ...(targetMinutes && { targetMinutes }) }
    const { status } = await app.call(startFocus, input, ann)
    expect(status).toBe(200)
    return sessionId
  }
  const stop = (sessionId: string) => app.call(stopFocus, { sessionId }, ann)
  const set = (sessionId: string, targetMinutes: number | null, user = ann) =>
    app.call(setTarget, { sessionId, targetMinutes }, user)
  const home = async () => (await app.call(readHome, { timeZone }, ann)).body
  /** Reads Ann's presence as Bea sees it. */
  const seen = async () => (await app.call(readTeam, {}, bea)).body.connections[0]?.presence
  /** All targets that are stored about Ann. */
  async function stored(): Promise<(number | null)[]> {
    const { deeb_sessions } = (await app.call(readMyData, {}, ann)).body as unknown as {
      deeb_sessions: { target_minutes: number | null }[]
    }
    return deeb_sessions.map(({ target_minutes }) => target_minutes)
  }
  const off = (sessionId: string) => {
    const now = clock.now().toISOString()
    return { sentAt: now, changes: [{ to: 'off', sessionId, actedAt: now } as const] }
  }
  return { start, stop, set, home, seen, stored, off }
})

let ann: MadeUser
let bea: MadeUser
test.beforeEach(async ({ app, clock }) => {
  clock.set('2026-06-15T07:00:00.000Z')
  ann = await makeUser(app)
  bea = await makeUser(app)
  await makeConnection(app, ann, bea)
})

const timeZone = 'Europe/Berlin'
const START = '2026-06-15T07:00:00.000Z'
const AFTER_50_MINUTES = '2026-06-15T07:50:00.000Z'

describe('a start with a target', () => {
  test('shows it to its user, and its end to connections', async ({ focus }) => {
    const id = await focus.start(50)
    expect((await focus.home()).openSession).toEqual({ id, startedAt: START, endedAt: null, targetMinutes: 50 })
    expect(await focus.seen()).toMatchObject({ inDeebMode: true, since: START, until: AFTER_50_MINUTES })
    expect(await focus.stored()).toEqual([50])
  })

  test('without one has none, as from an older client', async ({ focus }) => {
    const id = await focus.start()
    expect((await focus.home()).openSession).toEqual({ id, startedAt: START, endedAt: null })
    expect(await focus.seen()).toMatchObject({ since: START, until: null })
  })

  test('that is repeated, or joins an open session, changes nothing', async ({ app, focus }) => {
    const id = await focus.start(50)
    await focus.start(25, id)
    const { body } = await app.call(startFocus, { sessionId: uuidv7(), timeZone, targetMinutes: 90 }, ann)
    expect(body.session).toMatchObject({ id, targetMinutes: 50 })
    expect(await focus.stored()).toEqual([50])
  })

  test.for([4, 481, 25.5])('of %s minutes is refused', async (targetMinutes, { app }) => {
    const input = { sessionId: uuidv7(), timeZone, targetMinutes }
    expect((await app.call(startFocus, input, ann)).error.code).toBe('invalid_input')
  })

  test('that is replayed keeps it while the session is open', async ({ app, focus }) => {
    const [first, second] = [uuidv7(), uuidv7()]
    const on = (sessionId: string, minute: number) =>
      ({ to: 'on', sessionId, timeZone, actedAt: at(minute), targetMinutes: 50 }) as const
    const at = (minute: number) => new Date(Date.parse(START) + minute * 60_000).toISOString()
    const changes = [on(first, -60), { to: 'off', sessionId: first, actedAt: at(-30) } as const, on(second, -10)]
    const { body } = await app.call(replaySwitches, { sentAt: START, changes }, ann)
    expect(body.openSession).toMatchObject({ id: second, startedAt: at(-10), targetMinutes: 50 })
    expect((await focus.stored()).toSorted()).toEqual([50, null])
    expect(await focus.seen()).toMatchObject({ until: at(40) })
  })

  test('whose start is moved back by a delayed repeat keeps the newer target', async ({ app, clock, focus }) => {
    const id = await focus.start(50)
    await focus.set(id, 90)
    clock.advance({ minutes: 1 })
    const now = clock.now().toISOString()
    const actedAt = '2026-06-15T06:58:00.000Z'
    const changes = [{ to: 'on', sessionId: id, timeZone, actedAt, targetMinutes: 50 } as const]
    const { body } = await app.call(replaySwitches, { sentAt: now, changes }, ann)
    expect(body.openSession).toMatchObject({ id, startedAt: actedAt, targetMinutes: 90 })
    expect((await focus.home()).openSession).toEqual(body.openSession)
  })
})

describe('a change of the target', () => {
  test('is published to the other devices and to connections', async ({ app, focus }) => {
    const id = await focus.start()
    const [own, other] = [await openStream(app, ann), await openStream(app, bea)]
    const { body } = await focus.set(id, 50)
    expect(body.session).toEqual({ id, startedAt: START, endedAt: null, targetMinutes: 50 })
    await own.until((stream) => stream.of('me-changed').length === 1)
    await other.until((stream) => stream.of('presence').length === 1)
    expect(own.of('me-changed')[0]?.openSession).toEqual(body.session)
    expect(other.of('presence')[0]?.presence).toEqual(await focus.seen())
    expect(other.of('presence')[0]?.presence).toMatchObject({ until: AFTER_50_MINUTES })
    own.leave()
    other.leave()
  })

  test('threat 151: connections receive no end that is past, by a read or a live event', async ({
    app,
    clock,
    focus,
  }) => {
    const id = await focus.start(50)
    clock.advance({ minutes: 50 })
    expect(await focus.seen()).toMatchObject({ inDeebMode: true, since: START, until: null })
    const other = await openStream(app, bea)
    await focus.set(id, 25)
    await other.until((stream) => stream.of('presence').length === 1)
    expect(other.of('presence')[0]?.presence).toMatchObject({ inDeebMode: true, until: null })
    expect((await focus.home()).openSession).toMatchObject({ targetMinutes: 25 })
    other.leave()
  })

  test('is idempotent, and null removes it', async ({ focus }) => {
    const id = await focus.start()
    expect((await focus.set(id, 50)).body.session).toEqual((await focus.set(id, 50)).body.session)
    expect((await focus.set(id, null)).body.session).toEqual({ id, startedAt: START, endedAt: null })
    expect(await focus.seen()).toMatchObject({ inDeebMode: true, until: null })
  })

  test('accepts the id of a start that joined the session', async ({ focus }) => {
    const id = await focus.start()
    const joined = await focus.start()
    expect((await focus.set(joined, 25)).body.session).toMatchObject({ id, targetMinutes: 25 })
  })

  test('threat 141: of a session that has ended, is 16 hours old, unknown or of another user is refused', async ({
    clock,
    focus,
  }) => {
    const ended = await focus.start(50)
    await focus.stop(ended)
    const id = await focus.start()
    expect((await focus.set(id, 50, bea)).error.code).toBe('session_not_found')
    for (const unknown of [ended, uuidv7()]) expect((await focus.set(unknown, 50)).error.code).toBe('session_not_found')
    clock.advance({ hours: 16 })
    expect((await focus.set(id, 50)).error.code).toBe('session_not_found')
    expect(await focus.stored()).toEqual([null, null])
  })

  test('threat 141: on one device while another ends the session never leaves an ended session with a target', async ({
    app,
    clock,
    focus,
  }) => {
    for (let round = 0; round < 10; round++) {
      const id = await focus.start()
      const [changed, ended] = await Promise.all(
        round % 2 ? [focus.set(id, 50), focus.stop(id)] : [focus.stop(id), focus.set(id, 50)],
      )
      expect([changed.status, ended.status].filter((status) => status !== 200 && status !== 404)).toEqual([])
      clock.advance({ minutes: 1 })
    }
    expect(new Set(await focus.stored())).toEqual(new Set([null]))
    expect(await focus.seen()).toMatchObject({ inDeebMode: false, until: null })
    await expectConsistent(app, ann)
  })
})

describe('threat 140: a target', () => {
  type Fixtures = Pick<FixturesOf<typeof test>, 'app' | 'focus'>
  const MORE_THAN_A_DAY = { hours: 17 }

  test.for<[string, (fixtures: Fixtures, id: string) => Promise<unknown>]>([
    ['a stop', ({ focus }, id) => focus.stop(id)],
    ['a stop by another device', async ({ focus }) => focus.stop(await focus.start())],
    ['a replayed off', ({ app, focus }, id) => app.call(replaySwitches, focus.off(id), ann)],
    ['a company that switches the account off', ({ app }) => closeOpenSession(app.db, ann.userId, app.clock.now())],
  ])('is forgotten when the session is ended by %s', async ([_, end], { app, clock, focus }) => {
    const id = await focus.start(50)
    clock.advance({ minutes: 10 })
    await end({ app, focus }, id)
    expect(await focus.stored()).toEqual([null])
    expect(await focus.seen()).toMatchObject({ inDeebMode: false, since: null, until: null })
    expect((await focus.home()).openSession).toBeNull()
  })

  test.for<[string, (fixtures: Fixtures, id: string) => Promise<unknown>]>([
    ['the periodic job', ({ app }) => closeForgottenSessions(app.db, app.clock.now())],
    ['a late stop', ({ focus }, id) => focus.stop(id)],
    ['a replay', ({ app, focus }, id) => app.call(replaySwitches, focus.off(id), ann)],
    ['a new start', ({ focus }) => focus.start()],
  ])(
    'is forgotten when the session is ended at 16 hours by %s, and stays so when it is kept',
    async ([_, end], { app, clock, focus }) => {
      const id = await focus.start(50)
      clock.advance(MORE_THAN_A_DAY)
      await end({ app, focus }, id)
      expect((await focus.home()).forgottenSession).not.toHaveProperty('targetMinutes')
      await app.call(keepSession, { sessionId: id }, ann)
      expect(new Set(await focus.stored())).toEqual(new Set([null]))
    },
  )

  test('does not return when the session is corrected, deleted and restored', async ({ app, clock, focus }) => {
    const id = await focus.start(50)
    clock.advance({ minutes: 10 })
    await focus.stop(id)
    const session = { sessionId: id }
    const endedAt = '2026-06-15T07:09:00.000Z'
    for (const change of [
      () => app.call(correctSession, { ...session, endedAt }, ann),
      () => app.call(discardSession, session, ann),
      () => app.call(restoreSession, { ...session, endedAt }, ann),
    ]) {
      expect((await change()).status).toBe(200)
      expect(await focus.stored()).toEqual([null])
    }
    const { sessions } = (await app.call(readSessions, {}, ann)).body
    expect(sessions).toEqual([{ id, startedAt: START, endedAt, interruptions: 0 }])
  })

  test('is deleted with the account', async ({ app, focus }) => {
    await focus.start(50)
    expect((await app.call(deleteAccount, { password: PASSWORD }, ann)).status).toBe(200)
    const left = statement('test.targets-left', 'select from deeb_sessions where user_id = :userId')
    expect(await app.db.query(left, { userId: ann.userId })).toEqual([])
  })

  test('is refused by the database in an ended session', async ({ app, focus }) => {
    await focus.stop(await focus.start())
    const copy = statement(
      'test.ended-with-target',
      `insert into deeb_sessions (user_id, id, start_time, end_time, time_zone, start_date, next_date, next_date_starts_at,
        target_minutes)
      select user_id, gen_random_uuid(), start_time, start_time, time_zone, start_date, next_date, next_date_starts_at, :minutes
      from deeb_sessions where user_id = :userId`,
    )
    const insert = (minutes: number) =>
      app.db.query(copy, { userId: ann.userId, minutes }).catch((error: unknown) => violatedConstraint(error))
    expect(await insert(50)).toBe('deeb_sessions_target_only_open')
    expect(await insert(481)).toMatch(/^deeb_sessions_target_/)
  })
})
