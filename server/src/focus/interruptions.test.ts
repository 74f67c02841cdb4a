import { randomUUID } from 'node:crypto'
import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { withPresses } from '@deeb/core/focus/interruptions'
import { MAX_INTERRUPTIONS } from '@deeb/core/focus/session'
import { readHome } from '@deeb/core/home/api'
import { correctSession, discardSession, restoreSession } from '@deeb/core/sessions/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { statement } from '../db/db.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { cleanUp } from '../retention/clean-up.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makePersonalToken, makeUser } from '../testing/make.ts'
import { runs } from '../testing/runs.ts'
import { test as base } from '../testing/test.ts'
import { addWebhook } from '../testing/webhooks.ts'

const timeZone = 'Europe/Berlin'

let ann: MadeUser
let sessionId: string

const rememberedOf = statement('test.presses', 'select counts from interruption_presses where user_id = :userId')
const deliveries = statement('test.deliveries', 'select from webhook_deliveries')
const fillUp = statement(
  'test.fill-up-presses',
  `insert into interruption_presses (user_id, id, session_id, counts)
  select :userId, gen_random_uuid(), :sessionId, false from generate_series(1, :count::int)`,
)

type Kind = 'interrupted' | 'undo'

const test = base.extend('focus', ({ app, clock }) => {
  const now = () => clock.now().toISOString()
  const replay = (changes: Parameters<typeof app.call<typeof replaySwitches>>[1]['changes'], user = ann) =>
    app.call(replaySwitches, { sentAt: now(), changes }, user)
  const press = (pressId: string, to: Kind = 'interrupted', id = sessionId, user = ann) =>
    replay([{ to, sessionId: id, pressId, actedAt: now() }], user)
  /** Presses that many times. */
  async function pressOften(count: number): Promise<void> {
    for (let done = 0; done < count; done += 50) {
      const presses = Array.from({ length: Math.min(50, count - done) }, () => randomUUID())
      await replay(presses.map((pressId) => ({ to: 'interrupted', sessionId, pressId, actedAt: now() })))
    }
  }
  const home = async () => (await app.call(readHome, { timeZone }, ann)).body
  /** The ids of the presses that count in the open session. */
  const counted = async () => ((await home()).presses ?? []).map(({ pressId }) => pressId).sort()
  const ended = async () => (await app.call(readSessions, {}, ann)).body.sessions
  const interruptions = async (id = sessionId) => (await ended()).find((session) => session.id === id)?.interruptions
  const stop = (id = sessionId) => app.call(stopFocus, { sessionId: id }, ann)
  const remembered = async () => (await app.db.query(rememberedOf, { userId: ann.userId })).length
  return { now, replay, press, pressOften, home, counted, interruptions, stop, remembered }
})

test.beforeEach(async ({ app, clock }) => {
  clock.set('2026-06-15T09:00:00Z')
  ann = await makeUser(app)
  sessionId = uuidv7()
  await app.call(startFocus, { sessionId, timeZone }, ann)
  clock.advance({ minutes: 10 })
})

describe('a press of interrupted?', () => {
  test('counts once in the open session, however often and however concurrently it is sent', async ({ focus }) => {
    const [first, second] = [randomUUID(), randomUUID()]
    await Promise.all(Array.from({ length: 5 }, () => focus.press(first)))
    await Promise.all([focus.press(second), focus.press(first)])
    expect(await focus.counted()).toEqual([first, second].sort())
    await focus.stop()
    expect(await focus.interruptions()).toBe(2)
  })

  test('of two devices at the same time counts twice, and all devices refetch', async ({ app, focus }) => {
    const before = (await focus.home()).version
    await Promise.all([focus.press(randomUUID()), focus.press(randomUUID())])
    expect(await focus.counted()).toHaveLength(2)
    expect((await focus.home()).version).toBeGreaterThan(before)
    await focus.stop()
    expect((await app.call(readHome, { timeZone }, ann)).body.presses).toEqual([])
  })

  test('never counts again after its undo, which may arrive first', async ({ focus }) => {
    const [late, early] = [randomUUID(), randomUUID()]
    for (const to of ['interrupted', 'undo', 'interrupted', 'undo'] as const) await focus.press(late, to)
    for (const to of ['undo', 'interrupted'] as const) await focus.press(early, to)
    await focus.press(randomUUID())
    expect(await focus.counted()).toHaveLength(1)
    await focus.stop()
    expect(await focus.interruptions()).toBe(1)
  })

  test('of an offline device counts in the session that the same batch starts, also under a second id of it', async ({
    app,
    clock,
    focus,
  }) => {
    await focus.stop()
    const [own, other] = [uuidv7(), uuidv7()]
    const actedAt = focus.now()
    const presses = [randomUUID(), randomUUID()]
    clock.advance({ hours: 2 })
    const changes = [
      { to: 'on', sessionId: own, timeZone, actedAt },
      { to: 'interrupted', sessionId: own, pressId: presses[0] ?? '', actedAt },
    ] as const
    await focus.replay([...changes])
    await focus.replay([...changes])
    // On the second device, which was offline too.
    await app.call(startFocus, { sessionId: other, timeZone }, ann)
    expect((await focus.press(presses[1] ?? '', 'interrupted', other)).body.refused).toEqual([])
    expect(await focus.counted()).toEqual(presses.sort())
  })

  test('counts in a session that ended within 7 days, then it is refused', async ({ clock, focus }) => {
    await focus.stop()
    clock.advance({ hours: 7 * 24 - 1 })
    expect((await focus.press(randomUUID())).body.refused).toEqual([])
    expect(await focus.interruptions()).toBe(1)
    clock.advance({ hours: 2 })
    const gone = { sessionId, to: 'interrupted', code: 'session_not_found' }
    expect((await focus.press(randomUUID())).body.refused).toEqual([gone])
    const actedAt = '2026-06-15T09:05:00.000Z'
    const late = await focus.replay([{ to: 'interrupted', sessionId, pressId: randomUUID(), actedAt }])
    expect(late.body.refused).toEqual([{ ...gone, code: 'too_late' }])
  })

  test('in a session of somebody else is refused like one in no session', async ({ app, focus }) => {
    const ben = await makeUser(app)
    const refused = (await focus.press(randomUUID(), 'interrupted', sessionId, ben)).body.refused
    expect(refused).toEqual([{ sessionId, to: 'interrupted', code: 'session_not_found' }])
    expect((await focus.press(randomUUID(), 'undo', uuidv7(), ben)).body.refused).toHaveLength(1)
    expect(await focus.counted()).toEqual([])
  })

  test(`counts up to ${MAX_INTERRUPTIONS}, and no more presses are remembered than the limit`, async ({
    app,
    focus,
  }) => {
    await focus.pressOften(MAX_INTERRUPTIONS + 5)
    expect(await focus.counted()).toHaveLength(MAX_INTERRUPTIONS)
    const count = LIMITS.interruptionPresses.max - (await focus.remembered())
    await app.db.query(fillUp, { userId: ann.userId, sessionId, count })
    const [last = ''] = await focus.counted()
    await focus.press(last, 'undo')
    expect((await focus.press(randomUUID())).body.refused).toEqual([])
    await focus.press(randomUUID(), 'undo')
    expect(await focus.counted()).toHaveLength(MAX_INTERRUPTIONS - 1)
    expect(await focus.remembered()).toBe(LIMITS.interruptionPresses.max)
  })

  test('is forgotten 8 days after the end of its session, and the count stays', async ({ app, clock, focus }) => {
    await focus.press(randomUUID())
    await cleanUp(app.db, clock.now())
    await focus.stop()
    clock.advance({ hours: 6 * 24 })
    await cleanUp(app.db, clock.now())
    expect(await focus.remembered()).toBe(1)
    expect(await focus.interruptions()).toBe(1)
    clock.advance({ hours: 2 * 24, minutes: 1 })
    await cleanUp(app.db, clock.now())
    expect(await focus.remembered()).toBe(0)
  })

  test('threat 279: reaches no colleague, no webhook, and no program that may only switch', async ({
    app,
    clock,
    focus,
  }) => {
    const ben = await makeUser(app)
    await makeConnection(app, ben, ann)
    await addWebhook(app, ann, { url: 'https://hooks.example.com/' })
    const [stream, own] = [await openStream(app, ben), await openStream(app, ann)]
    const { token } = await makePersonalToken(app, ann, ['switch'])
    const queued = async () => (await app.db.query(deliveries)).length
    const before = await queued()
    const press = { to: 'interrupted', sessionId, pressId: randomUUID(), actedAt: focus.now() }
    const answer = await app.inject({
      ...{ method: 'POST', url: replaySwitches.path, headers: { authorization: `Bearer ${token}` } },
      payload: { sentAt: focus.now(), changes: [press] },
    })
    const openSession = { id: sessionId, startedAt: '2026-06-15T09:00:00.000Z', endedAt: null }
    expect(answer.json()).toEqual({ openSession, refused: [], serverTime: focus.now() })
    await own.until((stream) => stream.of('me-changed').length === 1)
    expect(await queued()).toBe(before)
    // Then the stop is the first event.
    clock.advance({ minutes: 1 })
    await focus.stop()
    await stream.until((stream) => stream.of('presence').length > 0)
    expect(stream.of('presence')).toHaveLength(1)
    stream.leave()
    own.leave()
  })
})

describe('the count of an ended session', () => {
  test('is corrected within 7 days as its times are, and survives its deletion', async ({ app, clock, focus }) => {
    await focus.press(randomUUID())
    const { endedAt } = (await focus.stop()).body.session
    const correct = (interruptions: number) => app.call(correctSession, { sessionId, interruptions }, ann)
    expect((await correct(7)).body.session.interruptions).toBe(7)
    expect(await focus.interruptions()).toBe(7)
    for (const wrong of [-1, 100, 1.5]) expect((await correct(wrong)).status).toBe(400)
    await app.call(discardSession, { sessionId }, ann)
    await app.call(restoreSession, { sessionId, endedAt: endedAt ?? '' }, ann)
    expect(await focus.interruptions()).toBe(7)
    await app.call(correctSession, { sessionId, startedAt: '2026-06-15T09:01:00Z' }, ann)
    expect(await focus.interruptions()).toBe(7)
    clock.advance({ hours: 7 * 24, minutes: 1 })
    expect((await correct(0)).status).toBe(404)
  })
})

test('any history of presses, undos and repeats on two devices counts as the clients show it', async ({
  clock,
  focus,
}) => {
  const sent = fc.array(
    fc.record({
      to: fc.constantFrom<Kind>('interrupted', 'interrupted', 'undo'),
      press: fc.nat(5),
      twice: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(sent, async (changes) => {
      // So that the rate limit is not reached.
      clock.advance({ minutes: 1 })
      const ids = Array.from({ length: 6 }, () => randomUUID())
      const before = (await focus.home()).presses ?? []
      const presses = changes.map(({ to, press }) => ({ to, sessionId, pressId: ids[press] ?? '' }))
      // The devices press alternately, and do not wait for each other.
      await Promise.all(
        presses.map(async ({ to, pressId }, n) => {
          await focus.press(pressId, to)
          if (changes[n]?.twice) await focus.press(pressId, to)
        }),
      )
      const shown = withPresses(before, presses).map(({ pressId }) => pressId)
      expect(await focus.counted()).toEqual(shown.sort())
      for (const pressId of shown) await focus.press(pressId, 'undo')
    }),
    runs(10, 300),
  )
})
