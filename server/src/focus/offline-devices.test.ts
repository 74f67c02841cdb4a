// Runs in npm run test:all.
import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { statement } from '../db/db.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { makeTraveller } from '../testing/make-traveller.ts'
import { type Press, SquaredPaper } from '../testing/naive-switches.ts'
import { runs, times } from '../testing/runs.ts'
import { test as base } from '../testing/test.ts'
import { closeForgottenSessions } from './close-forgotten.ts'

const test = base
  .extend('mara', ({ app }) => makeTraveller(app))
  .extend('focus', ({ app, clock, mara }) => {
    const begin = () => clock.set(instant(0))
    const now = () => minuteOf(clock.now())
    /** Sends a batch as the app does: one press by start or stop, several by replay. Returns the refused presses. */
    async function deliver({ presses, sentAt, ahead }: Batch, user = mara): Promise<string[]> {
      const byDevice = (minute: number) => instant(minute + ahead)
      const [only] = presses
      if (only && presses.length === 1) {
        const times = { actedAt: byDevice(only.at), sentAt: byDevice(sentAt) }
        const { status, error } =
          only.to === 'on'
            ? await app.call(startFocus, { sessionId: only.id, timeZone, times }, user)
            : await app.call(stopFocus, { sessionId: only.id, times }, user)
        expect(status, JSON.stringify(error)).toBeLessThan(500)
        return status === 200 ? [] : [`${only.to} ${only.id}`]
      }
      const changes = presses.map(({ to, id, at }) =>
        to === 'on'
          ? ({ to, sessionId: id, timeZone, actedAt: byDevice(at) } as const)
          : ({ to, sessionId: id, actedAt: byDevice(at) } as const),
      )
      const { status, body } = await app.call(replaySwitches, { sentAt: byDevice(sentAt), changes }, user)
      expect(status, JSON.stringify(body)).toBe(200)
      return body.refused.map(({ to, sessionId }) => `${to} ${sessionId}`)
    }
    /** The minutes of all ended sessions, and the open session with its first minute. */
    async function stored(user = mara) {
      const rows = await app.db.query<{ id: string; startedAt: Date; endedAt: Date | null }>(ofAll, {
        userId: user.userId,
      })
      const minutes: number[] = []
      for (const { startedAt, endedAt } of rows) {
        if (endedAt) for (let minute = minuteOf(startedAt); minute < minuteOf(endedAt); minute++) minutes.push(minute)
      }
      const open = rows.find(({ endedAt }) => endedAt === null)
      const running = open ? { id: open.id, since: minuteOf(open.startedAt) } : null
      return { minutes: minutes.sort((a, b) => a - b), running }
    }
    function press(device: Device): void {
      const id = device.open ?? uuidv7()
      device.pending.push({ to: device.open ? 'off' : 'on', id, at: now() })
      device.open = device.open ? null : id
    }
    return { begin, now, deliver, stored, press }
  })

test.beforeEach(async ({ focus }) => {
  focus.begin()
})

const MINUTE_MS = 60_000
const FIRST = Date.parse('2026-06-15T06:00:00Z')
const timeZone = 'Europe/Berlin'

const instant = (minute: number) => new Date(FIRST + minute * MINUTE_MS).toISOString()
const minuteOf = (time: Date | string) => (new Date(time).getTime() - FIRST) / MINUTE_MS

/** The presses that a device sends in one request, in the time of its own clock, which is `ahead` minutes fast. */
interface Batch {
  presses: Press[]
  sentAt: number
  ahead: number
}

const ofAll = statement(
  'test.all-sessions',
  'select id, start_time as "startedAt", end_time as "endedAt" from deeb_sessions where user_id = :userId',
)

/** A device. It shows the last state from the server with its own pending presses on top. */
interface Device {
  ahead: number
  open: string | null
  pending: Press[]
}

const step = fc.record({
  does: fc.constantFrom(
    'press',
    'press',
    'press',
    'press and send',
    'press and send',
    'send',
    'send',
    'lose the response',
    'lose the response',
    'send twice',
    'refetch',
    'an old batch arrives again',
    'an old batch arrives again',
    'the network delays it',
    'the network delivers it later',
    'the network delivers it later',
    'close forgotten',
  ),
  who: fc.integer({ min: 0, max: 2 }),
  old: fc.nat({ max: 9 }),
  thenMinutes: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 40 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 20 * 60 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 8 * 24 * 60 }) },
  ),
})

// About 3000 calls, on a machine that may be busy.
const PATIENCE = { timeout: times(120_000, 3_600_000) }

test(
  'property: the history of three devices equals an independent reference model',
  PATIENCE,
  async ({ app, clock, focus }) => {
    const seen = { minutes: 0, refusals: 0 }
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 8, maxLength: 40, size: 'max' }),
        fc.array(fc.integer({ min: -600, max: 600 }), { minLength: 3, maxLength: 3 }),
        async (steps, clocks) => {
          focus.begin()
          const user = await makeTraveller(app)
          const model = new SquaredPaper()
          const devices: Device[] = clocks.map((ahead) => ({ ahead, open: null, pending: [] }))
          const sent: Batch[] = []
          const deliverToBoth = async (batch: Batch) => {
            const late = focus.now() - batch.sentAt
            const arrived = batch.presses.map((one) => ({ ...one, at: one.at + late }))
            const refused = await focus.deliver(batch, user)
            expect(refused.sort()).toEqual(
              model
                .replay(arrived, focus.now())
                .map(({ to, id }) => `${to} ${id}`)
                .sort(),
            )
            seen.refusals += refused.length
          }
          for (const { does, who, old, thenMinutes } of steps) {
            const device = devices[who] ?? { ahead: 0, open: null, pending: [] }
            if (does.startsWith('press')) focus.press(device)
            const batch = { presses: [...device.pending], sentAt: focus.now(), ahead: device.ahead }
            const isSent = [
              'press and send',
              'send',
              'lose the response',
              'send twice',
              'the network delays it',
            ].includes(does)
            if (isSent && batch.presses.length > 0) {
              if (does === 'the network delays it') clock.advance({ minutes: 3 })
              sent.push(batch)
              await deliverToBoth(batch)
              if (does === 'send twice') await deliverToBoth(batch)
              if (does !== 'lose the response' && does !== 'the network delays it') {
                device.pending = []
                device.open = (await focus.stored(user)).running?.id ?? null
              }
            }
            // A refetch also replaces the state under pending presses, as on a device with a slow disk. Then a stop may name
            // another session than the start before it.
            if (does === 'refetch') device.open = (await focus.stored(user)).running?.id ?? null
            // It may arrive between other batches, after its device sent the same again.
            if (does === 'the network delivers it later' && batch.presses.length > 0) sent.push(batch)
            const again = sent[sent.length - 1 - old]
            if (does === 'an old batch arrives again' && again) await deliverToBoth(again)
            if (does === 'close forgotten') await closeForgottenSessions(app.db, clock.now())

            // Both close forgotten sessions before the comparison, because either may do so at any time.
            await closeForgottenSessions(app.db, clock.now())
            model.closeForgotten(focus.now())
            const { minutes, running } = await focus.stored(user)
            expect(minutes).toEqual([...model.squares.keys()].sort((a, b) => a - b))
            expect(running).toEqual(model.running)
            clock.advance({ minutes: thenMinutes })
          }
          seen.minutes += model.squares.size
          await expectConsistent(app, user)
        },
      ),
      // Leaves time to shrink a counterexample and report it before the test times out.
      { ...runs(25, 1_000), interruptAfterTimeLimit: times(100_000, 3_000_000) },
    )
    // Guards against generated histories in which nothing happens.
    expect(seen.minutes).toBeGreaterThan(1000)
    expect(seen.refusals).toBeGreaterThan(0)
  },
)

/** The times at which a device was on: pairs of minutes, the second one excluded. */
const spans = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 1, max: 120 }))
    .map(([from, long]) => [from, from + long] as const),
  { minLength: 1, maxLength: 5 },
)

describe('concurrent replays of offline switches, in any order and duplicated', () => {
  test('property: add up to the union of all spans', PATIENCE, async ({ app, clock, focus }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(spans, { minLength: 2, maxLength: 4 }), fc.boolean(), async (ofDevices, isOneOpen) => {
        focus.begin()
        const user = await makeTraveller(app)
        const expected = new Set<number>()
        const batches = ofDevices.map((ofDevice) => {
          const presses = ofDevice.flatMap(([from, to]): Press[] => {
            for (let minute = from; minute < to; minute++) expected.add(minute)
            const id = uuidv7()
            return [
              { to: 'on', id, at: from },
              { to: 'off', id, at: to },
            ]
          })
          return { presses, sentAt: 900, ahead: 0 }
        })
        clock.set(instant(900))
        const others = isOneOpen
          ? [{ presses: [{ to: 'on' as const, id: uuidv7(), at: 850 }], sentAt: 900, ahead: 0 }]
          : []
        const answers = await Promise.all(
          [...batches, ...others, ...batches].map((batch) => focus.deliver(batch, user)),
        )
        expect(answers.flat()).toEqual([])
        const { minutes, running } = await focus.stored(user)
        expect(running?.since ?? null).toBe(isOneOpen ? 850 : null)
        expect(minutes).toEqual([...expected].filter((minute) => !isOneOpen || minute < 850).sort((a, b) => a - b))
        await expectConsistent(app, user)
      }),
      runs(20, 800),
    )
  })

  test(
    'property: give the same history for either order of two reports of one start',
    PATIENCE,
    async ({ app, clock, focus }) => {
      const anyMinute = fc.integer({ min: 0, max: 899 })
      await fc.assert(
        fc.asyncProperty(spans, fc.boolean(), anyMinute, anyMinute, async (others, isOneOpen, one, other) => {
          const [pressedAt, readAs] = [Math.min(one, other), Math.max(one, other)]
          const openSince = isOneOpen ? 850 : Number.POSITIVE_INFINITY
          const ends = others.map(([, to]) => to)
          const since = isOneOpen ? openSince : Math.max(pressedAt, ...ends)
          const expected = new Set<number>()
          for (const [from, to] of others) for (let minute = from; minute < to; minute++) expected.add(minute)
          for (let minute = pressedAt; minute < since; minute++) expected.add(minute)

          for (const reports of [
            [pressedAt, readAs],
            [readAs, pressedAt],
          ]) {
            focus.begin()
            const user = await makeTraveller(app)
            clock.set(instant(900))
            const send = (presses: Press[]) => focus.deliver({ presses, sentAt: 900, ahead: 0 }, user)
            for (const [from, to] of others) {
              const id = uuidv7()
              await send([
                { to: 'on', id, at: from },
                { to: 'off', id, at: to },
              ])
            }
            if (isOneOpen) await send([{ to: 'on', id: uuidv7(), at: openSince }])
            const id = uuidv7()
            for (const at of reports) expect(await send([{ to: 'on', id, at }])).toEqual([])
            const { minutes, running } = await focus.stored(user)
            expect(running?.since).toBe(since)
            expect(minutes).toEqual([...expected].sort((a, b) => a - b))
            await expectConsistent(app, user)
          }
        }),
        runs(15, 500),
      )
    },
  )

  test('leave one consistent history next to plain starts and stops', async ({ app, clock, focus }) => {
    for (let round = 0; round < 15; round++) {
      focus.begin()
      const user = await makeTraveller(app)
      const [phone, laptop, later] = [uuidv7(), uuidv7(), uuidv7()]
      clock.set(instant(60))
      const piece: Press[] = [
        { to: 'on', id: phone, at: 10 },
        { to: 'off', id: phone, at: 50 },
        { to: 'on', id: later, at: 55 },
      ]
      const plain = (to: 'on' | 'off') =>
        focus.deliver({ presses: [{ to, id: laptop, at: 60 }], sentAt: 60, ahead: 0 }, user)
      await Promise.all([focus.deliver({ presses: piece, sentAt: 60, ahead: 0 }, user), plain('on'), plain('on')])
      clock.advance({ minutes: 5 })
      await plain('off')
      await focus.deliver({ presses: [{ to: 'off', id: later, at: 65 }], sentAt: 65, ahead: 0 }, user)
      expect((await focus.stored(user)).running).toBeNull()
      expect((await focus.stored(user)).minutes.filter((minute) => minute < 60)).toHaveLength(45)
      await expectConsistent(app, user)
      expect((await app.call(readSessions, {}, user)).status).toBe(200)
    }
  })
})
