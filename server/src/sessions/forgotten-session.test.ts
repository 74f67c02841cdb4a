import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { correctSession, discardSession, keepSession, restoreSession } from '@deeb/core/sessions/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import { readWeek } from '@deeb/core/stats/api'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { closeForgottenSessions } from '../focus/close-forgotten.ts'
import { expectConsistent } from '../testing/invariants.ts'
import type { MadeUser } from '../testing/make.ts'
import { makeTraveller } from '../testing/make-traveller.ts'
import { test as base } from '../testing/test.ts'

const timeZone = 'Europe/Berlin'

const test = base.extend('focus', ({ app, clock }) => {
  const keep = (sessionId: string) => app.call(keepSession, { sessionId }, mara)
  const discard = (sessionId: string) => app.call(discardSession, { sessionId }, mara)
  /** Corrects the session to one hour: 06:00 to 07:00 UTC. */
  const correct = (sessionId: string) =>
    app.call(correctSession, { sessionId, endedAt: '2026-06-15T07:00:00.000Z' }, mara)
  /** Starts a session now, moves the clock by 16 hours and lets the server close it. Returns its id. */
  async function makeForgotten(): Promise<string> {
    const { id } = (await app.call(startFocus, { sessionId: uuidv7(), timeZone }, mara)).body.session
    clock.advance({ hours: 16 })
    await closeForgottenSessions(app.db, clock.now())
    return id
  }
  /** The id of the forgotten session in the responses for all screens, which must agree. */
  async function shownForgotten(): Promise<string | undefined> {
    const home = (await app.call(readHome, { timeZone }, mara)).body.forgottenSession
    expect((await app.call(readWeek, { timeZone }, mara)).body.forgottenSession).toEqual(home)
    expect((await app.call(readSessions, {}, mara)).body.forgottenSession).toEqual(home)
    return home?.id
  }
  return { keep, discard, correct, makeForgotten, shownForgotten }
})

let mara: MadeUser
test.beforeEach(async ({ app, clock }) => {
  clock.set('2026-06-15T06:00:00Z')
  mara = await makeTraveller(app)
})
test.afterEach(({ app }) => expectConsistent(app, mara))

test('every screen shows a forgotten session once the server has closed it', async ({ app, clock, focus }) => {
  const { id } = (await app.call(startFocus, { sessionId: uuidv7(), timeZone }, mara)).body.session
  clock.advance({ hours: 15 })
  expect(await focus.shownForgotten()).toBeUndefined()
  clock.advance({ hours: 1 })
  await closeForgottenSessions(app.db, clock.now())
  expect(await focus.shownForgotten()).toBe(id)
  expect((await app.call(readHome, { timeZone }, mara)).body).toMatchObject({
    forgottenSession: { startedAt: '2026-06-15T06:00:00.000Z', endedAt: '2026-06-15T22:00:00.000Z' },
    openSession: null,
  })
})

test('a session that a late stop ended is forgotten too, one stopped in time is not', async ({ app, clock, focus }) => {
  const sessionId = uuidv7()
  await app.call(startFocus, { sessionId, timeZone }, mara)
  clock.advance({ hours: 16 })
  await app.call(stopFocus, { sessionId }, mara)
  expect(await focus.shownForgotten()).toBeUndefined()
  const late = uuidv7()
  await app.call(startFocus, { sessionId: late, timeZone }, mara)
  clock.advance({ hours: 16, seconds: 1 })
  await app.call(stopFocus, { sessionId: late }, mara)
  expect(await focus.shownForgotten()).toBe(late)
})

test.for([
  ['keeping', 'keep', 960],
  ['correcting', 'correct', 60],
  ['discarding', 'discard', 0],
] as const)(
  '%s resolves a forgotten session, within the week and after a month',
  async ([_, answer, minutes], { app, clock, focus }) => {
    for (const days of [1, 31]) {
      clock.set('2026-06-15T06:00:00Z')
      mara = await makeTraveller(app)
      const id = await focus.makeForgotten()
      clock.advance({ hours: days * 24 })
      expect(await focus.shownForgotten()).toBe(id)
      expect((await focus[answer](id)).status).toBe(200)
      expect(await focus.shownForgotten()).toBeUndefined()
      // 15 June 2026 was a Monday; the session lasted from 08:00 to 24:00 in Berlin.
      clock.set('2026-06-16T06:00:00Z')
      const { week } = (await app.call(readWeek, { timeZone }, mara)).body
      expect(week.reduce((sum, day) => sum + day.savedSeconds, 0)).toBe(minutes * 60)
    }
  },
)

test('of two forgotten sessions the older is shown first', async ({ clock, focus }) => {
  const first = await focus.makeForgotten()
  clock.advance({ hours: 5 })
  const second = await focus.makeForgotten()
  expect(await focus.shownForgotten()).toBe(first)
  await focus.keep(first)
  expect(await focus.shownForgotten()).toBe(second)
  await focus.discard(second)
  expect(await focus.shownForgotten()).toBeUndefined()
})

test('keep is idempotent, and a kept session can be corrected within the week', async ({ focus }) => {
  const id = await focus.makeForgotten()
  await focus.keep(id)
  expect((await focus.keep(id)).status).toBe(200)
  expect((await focus.correct(id)).status).toBe(200)
  expect(await focus.shownForgotten()).toBeUndefined()
})

test.for([0, 24 * 30])(
  'undoing the deletion of a forgotten session after %i hours asks about it again',
  async (hours, { app, clock, focus }) => {
    const id = await focus.makeForgotten()
    clock.advance({ hours })
    const before = (await app.call(readHome, { timeZone }, mara)).body.forgottenSession
    await focus.discard(id)
    expect(await focus.shownForgotten()).toBeUndefined()
    const restored = await app.call(restoreSession, { sessionId: id, endedAt: before?.endedAt ?? '' }, mara)
    expect(restored.status).toBe(200)
    expect((await app.call(readHome, { timeZone }, mara)).body.forgottenSession).toEqual(before)
    expect((await focus.keep(id)).status).toBe(200)
    expect(await focus.shownForgotten()).toBeUndefined()
  },
)

test.for(['kept', 'corrected'])(
  'undoing the deletion of a forgotten session that was %s asks nothing',
  async (how, { app, focus }) => {
    const id = await focus.makeForgotten()
    await (how === 'kept' ? focus.keep(id) : focus.correct(id))
    await focus.discard(id)
    const endedAt = '2026-06-15T22:00:00.000Z'
    expect((await app.call(restoreSession, { sessionId: id, endedAt }, mara)).status).toBe(200)
    expect(await focus.shownForgotten()).toBeUndefined()
  },
)

test('a kept session cannot be changed after a week', async ({ clock, focus }) => {
  const id = await focus.makeForgotten()
  await focus.keep(id)
  clock.advance({ hours: 7 * 24 })
  expect([(await focus.correct(id)).status, (await focus.discard(id)).status]).toEqual([404, 404])
})

test('a user neither sees nor changes the forgotten session of another user', async ({ app, focus }) => {
  const id = await focus.makeForgotten()
  const owner = mara
  mara = await makeTraveller(app)
  expect(await focus.shownForgotten()).toBeUndefined()
  expect([(await focus.keep(id)).status, (await focus.correct(id)).status, (await focus.discard(id)).status]).toEqual([
    404, 404, 404,
  ])
  mara = owner
  expect(await focus.shownForgotten()).toBe(id)
})
