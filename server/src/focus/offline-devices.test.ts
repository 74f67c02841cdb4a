import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { readSessions } from '@deeb/core/sessions/api'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import type { MadeUser } from '../testing/make.ts'
import { makeTraveller } from '../testing/make-traveller.ts'
import { type Press, SquaredPaper } from '../testing/naive-switches.ts'
import { runs, times } from '../testing/runs.ts'
import { expectSettled } from '../testing/settled.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { closeForgottenSessions } from './close-forgotten.ts'

let testApp: TestApp
let mara: MadeUser
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  begin()
  mara = await makeTraveller(testApp)
})

const MINUTE_MS = 60_000
const FIRST = Date.parse('2026-06-15T06:00:00Z')
const timeZone = 'Europe/Berlin'

const instant = (minute: number) => new Date(FIRST + minute * MINUTE_MS).toISOString()
const minuteOf = (time: Date | string) => (new Date(time).getTime() - FIRST) / MINUTE_MS
const begin = () => testApp.clock.set(instant(0))
const now = () => minuteOf(testApp.clock.now())

/** What a device sends: presses by its own clock, which is `ahead` minutes wrong. */
interface Letter {
  presses: Press[]
  sentAt: number
  ahead: number
}

const ofAll = statement(
  'test.all-sessions',
  'select id, start_time as "startedAt", end_time as "endedAt" from deeb_sessions where user_id = :userId',
)

/** Sends a letter the way the app does: one press by the plain calls, several at once. */
async function deliver({ presses, sentAt, ahead }: Letter, user = mara): Promise<string[]> {
  const byDevice = (minute: number) => instant(minute + ahead)
  const [only] = presses
  if (only && presses.length === 1) {
    const times = { actedAt: byDevice(only.at), sentAt: byDevice(sentAt) }
    const { status, error } =
      only.to === 'on'
        ? await testApp.call(startFocus, { sessionId: only.id, timeZone, times }, user)
        : await testApp.call(stopFocus, { sessionId: only.id, times }, user)
    expect(status, JSON.stringify(error)).toBeLessThan(500)
    return status === 200 ? [] : [`${only.to} ${only.id}`]
  }
  const changes = presses.map(({ to, id, at }) =>
    to === 'on'
      ? ({ to, sessionId: id, timeZone, actedAt: byDevice(at) } as const)
      : ({ to, sessionId: id, actedAt: byDevice(at) } as const),
  )
  const { status, body } = await testApp.call(replaySwitches, { sentAt: byDevice(sentAt), changes }, user)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.refused.map(({ to, sessionId }) => `${to} ${sessionId}`)
}

/** The minutes that count, and since when which session is open. */
async function stored(user = mara) {
  const rows = await testApp.db.query<{ id: string; startedAt: Date; endedAt: Date | null }>(ofAll, {
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

/** A device as its person has it in the hand. What it shows is what the server last told it, and its own presses since. */
interface Device {
  ahead: number
  open: string | null
  waiting: Press[]
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
    'lose the answer',
    'lose the answer',
    'send twice',
    'look',
    'an old letter comes again',
    'an old letter comes again',
    'the network holds it up',
    'the network keeps it for later',
    'the network keeps it for later',
    'sweep',
  ),
  who: fc.integer({ min: 0, max: 2 }),
  old: fc.nat({ max: 9 }),
  thenMinutes: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 40 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 20 * 60 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 8 * 24 * 60 }) },
  ),
})

function press(device: Device): void {
  const id = device.open ?? uuidv7()
  device.waiting.push({ to: device.open ? 'off' : 'on', id, at: now() })
  device.open = device.open ? null : id
}

// Some 3000 calls, on machines that may have other things to do.
const PATIENCE = { timeout: times(120_000, 3_600_000) }

test('whatever three devices do, the history is what somebody with squared paper would keep', PATIENCE, async () => {
  const seen = { minutes: 0, refusals: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 8, maxLength: 40, size: 'max' }),
      fc.array(fc.integer({ min: -600, max: 600 }), { minLength: 3, maxLength: 3 }),
      async (steps, clocks) => {
        begin()
        const user = await makeTraveller(testApp)
        const paper = new SquaredPaper()
        const devices: Device[] = clocks.map((ahead) => ({ ahead, open: null, waiting: [] }))
        const sent: Letter[] = []
        const hand = async (letter: Letter) => {
          const late = now() - letter.sentAt
          const arrived = letter.presses.map((one) => ({ ...one, at: one.at + late }))
          const refused = await deliver(letter, user)
          expect(refused.sort()).toEqual(
            paper
              .replay(arrived, now())
              .map(({ to, id }) => `${to} ${id}`)
              .sort(),
          )
          seen.refusals += refused.length
        }
        for (const { does, who, old, thenMinutes } of steps) {
          const device = devices[who] ?? { ahead: 0, open: null, waiting: [] }
          if (does.startsWith('press')) press(device)
          const letter = { presses: [...device.waiting], sentAt: now(), ahead: device.ahead }
          const isSent = [
            'press and send',
            'send',
            'lose the answer',
            'send twice',
            'the network holds it up',
          ].includes(does)
          if (isSent && letter.presses.length > 0) {
            if (does === 'the network holds it up') testApp.clock.advance({ minutes: 3 })
            sent.push(letter)
            await hand(letter)
            if (does === 'send twice') await hand(letter)
            if (does !== 'lose the answer' && does !== 'the network holds it up') {
              device.waiting = []
              device.open = (await stored(user)).running?.id ?? null
            }
          }
          // Also over what waits, as a device does whose disk is slow: then an off names what its on did not.
          if (does === 'look') device.open = (await stored(user)).running?.id ?? null
          // It may arrive between other letters, after its own device sent the same again.
          if (does === 'the network keeps it for later' && letter.presses.length > 0) sent.push(letter)
          const again = sent[sent.length - 1 - old]
          if (does === 'an old letter comes again' && again) await hand(again)
          if (does === 'sweep') await closeForgottenSessions(testApp.db, testApp.clock.now())

          // Both look for forgotten ones before they are compared, since either may at any time.
          await closeForgottenSessions(testApp.db, testApp.clock.now())
          paper.sweep(now())
          const { minutes, running } = await stored(user)
          expect(minutes).toEqual([...paper.squares.keys()].sort((a, b) => a - b))
          expect(running).toEqual(paper.running)
          testApp.clock.advance({ minutes: thenMinutes })
        }
        seen.minutes += paper.squares.size
        await expectSettled(testApp, user)
      },
    ),
    // Time enough to make a counterexample small, and to say it before the test's own time is over.
    { ...runs(50, 1_000), interruptAfterTimeLimit: times(100_000, 3_000_000) },
  )
  // What never happened proves nothing.
  expect(seen.minutes).toBeGreaterThan(1000)
  expect(seen.refusals).toBeGreaterThan(0)
})

/** When devices were on, as minutes from the first one to just before the second. */
const spans = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 1, max: 120 }))
    .map(([from, long]) => [from, from + long] as const),
  { minLength: 1, maxLength: 5 },
)

describe('what devices did without a network, told at once, in any order and doubled', () => {
  test('is the union of all their times', PATIENCE, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(spans, { minLength: 2, maxLength: 4 }), fc.boolean(), async (ofDevices, isOneOpen) => {
        begin()
        const user = await makeTraveller(testApp)
        const expected = new Set<number>()
        const letters = ofDevices.map((ofDevice) => {
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
        testApp.clock.set(instant(900))
        const others = isOneOpen
          ? [{ presses: [{ to: 'on' as const, id: uuidv7(), at: 850 }], sentAt: 900, ahead: 0 }]
          : []
        const answers = await Promise.all([...letters, ...others, ...letters].map((letter) => deliver(letter, user)))
        expect(answers.flat()).toEqual([])
        const { minutes, running } = await stored(user)
        expect(running?.since ?? null).toBe(isOneOpen ? 850 : null)
        expect(minutes).toEqual([...expected].filter((minute) => !isOneOpen || minute < 850).sort((a, b) => a - b))
        await expectSettled(testApp, user)
      }),
      runs(40, 800),
    )
  })

  test('is the same whichever of two reports of an on comes first', PATIENCE, async () => {
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
          begin()
          const user = await makeTraveller(testApp)
          testApp.clock.set(instant(900))
          const hand = (presses: Press[]) => deliver({ presses, sentAt: 900, ahead: 0 }, user)
          for (const [from, to] of others) {
            const id = uuidv7()
            await hand([
              { to: 'on', id, at: from },
              { to: 'off', id, at: to },
            ])
          }
          if (isOneOpen) await hand([{ to: 'on', id: uuidv7(), at: openSince }])
          const id = uuidv7()
          for (const at of reports) expect(await hand([{ to: 'on', id, at }])).toEqual([])
          const { minutes, running } = await stored(user)
          expect(running?.since).toBe(since)
          expect(minutes).toEqual([...expected].sort((a, b) => a - b))
          await expectSettled(testApp, user)
        }
      }),
      runs(25, 500),
    )
  })

  test('beside switches of now leaves one history', async () => {
    for (let round = 0; round < 15; round++) {
      begin()
      const user = await makeTraveller(testApp)
      const [phone, laptop, later] = [uuidv7(), uuidv7(), uuidv7()]
      testApp.clock.set(instant(60))
      const piece: Press[] = [
        { to: 'on', id: phone, at: 10 },
        { to: 'off', id: phone, at: 50 },
        { to: 'on', id: later, at: 55 },
      ]
      const plain = (to: 'on' | 'off') => deliver({ presses: [{ to, id: laptop, at: 60 }], sentAt: 60, ahead: 0 }, user)
      await Promise.all([deliver({ presses: piece, sentAt: 60, ahead: 0 }, user), plain('on'), plain('on')])
      testApp.clock.advance({ minutes: 5 })
      await plain('off')
      await deliver({ presses: [{ to: 'off', id: later, at: 65 }], sentAt: 65, ahead: 0 }, user)
      expect((await stored(user)).running).toBeNull()
      expect((await stored(user)).minutes.filter((minute) => minute < 60)).toHaveLength(45)
      await expectSettled(testApp, user)
      expect((await testApp.call(readSessions, {}, user)).status).toBe(200)
    }
  })
})
