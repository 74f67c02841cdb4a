import { LiveDelivery, type LiveEvent } from '@deeb/core/live-events'
import { presenceOf } from '@deeb/core/presence/presence'
import { v7 as uuidv7 } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Clock, LiveStream } from './stream.ts'

/** Time that passes when the test says so. */
function createClock() {
  let nowMs = 0
  let waiting: { atMs: number; act: () => void }[] = []
  const clock: Clock = {
    nowMs: () => nowMs,
    after(ms, act) {
      const entry = { atMs: nowMs + ms, act }
      waiting.push(entry)
      return () => {
        waiting = waiting.filter((other) => other !== entry)
      }
    },
  }
  return {
    ...clock,
    pass(ms: number) {
      for (const end = nowMs + ms; nowMs < end; ) {
        nowMs += 1
        for (const entry of waiting.filter(({ atMs }) => atMs <= nowMs)) {
          waiting = waiting.filter((other) => other !== entry)
          entry.act()
        }
      }
    },
    waiting: () => waiting.length,
  }
}

/** An answer that takes what is written, or says that it cannot. */
function createSink() {
  const sink = {
    written: [] as { atMs: number; text: string }[],
    isFull: false,
    isDestroyed: false,
    drain: () => undefined as undefined,
    write(text: string) {
      sink.written.push({ atMs: clock.nowMs(), text })
      return !sink.isFull
    },
    end: (text?: string) => text !== undefined && sink.write(text),
    destroy: () => {
      sink.isDestroyed = true
    },
    on: (_event: 'drain', hear: () => undefined) => {
      sink.drain = hear
    },
    deliveries: () =>
      sink.written
        .filter(({ text }) => text.startsWith('data: '))
        .map(({ atMs, text }) => ({ atMs, events: LiveDelivery.parse(JSON.parse(text.slice(6))) })),
  }
  return sink
}

let clock: ReturnType<typeof createClock>
let sink: ReturnType<typeof createSink>
let stream: LiveStream
const bea = uuidv7()
const now = () => new Date('2026-06-15T09:00:00.000Z')
const me = (version: number) => ({ openSession: null, version })

function tell(userId: string, version: number): void {
  const event: LiveEvent = { type: 'presence', userId, presence: presenceOf(null, version) }
  stream.queuePresence(userId, JSON.stringify(event))
  stream.flush()
}

beforeEach(() => {
  clock = createClock()
  sink = createSink()
  stream = new LiveStream({ userId: uuidv7(), sessionId: uuidv7(), endsAtMs: 0 }, now, clock)
})

/** What may be told at once has been told: more has to wait. */
function useUp(): void {
  for (let n = 0; n < 10; n++) tell(uuidv7(), 1)
  clock.pass(340)
}

const greet = () => stream.greet(sink as never, me(1))

describe('deliveries', () => {
  test('are told at once while no more happens than can be told', () => {
    greet()
    for (let version = 2; version < 8; version++) {
      tell(bea, version)
      expect(sink.deliveries().at(-1)).toMatchObject({ atMs: clock.nowMs(), events: [{ presence: { version } }] })
      clock.pass(10)
    }
  })

  test('come at most 10 times in any second, the newest state of each person winning', () => {
    greet()
    const people = Array.from({ length: 30 }, () => uuidv7())
    for (let version = 1; version <= 3000; version++) {
      tell(people[version % 30] ?? '', version)
      if (version % 7 === 0) {
        stream.queueOwnState(me(version))
        stream.flush()
      }
      clock.pass(1)
    }
    clock.pass(1000)
    const times = sink.deliveries().map(({ atMs }) => atMs)
    for (const [index, atMs] of times.entries())
      expect((times[index + 10] ?? Number.POSITIVE_INFINITY) - atMs).toBeGreaterThanOrEqual(1000)
    for (const [index, atMs] of times.entries()) expect((times[index + 1] ?? atMs) - atMs).toBeLessThan(500)
    const last = new Map<string, number>()
    for (const event of sink.deliveries().flatMap(({ events }) => events)) {
      if (event.type !== 'presence') continue
      expect(event.presence.version).toBeGreaterThan(last.get(event.userId) ?? 0)
      last.set(event.userId, event.presence.version)
    }
    expect([...last.values()].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => 2971 + n))
    expect(clock.waiting()).toBe(0)
  })

  test('begin with the greeting, whatever was to be told before it', () => {
    tell(bea, 2)
    greet()
    clock.pass(100)
    expect(sink.deliveries().map(({ events }) => events.map(({ type }) => type))).toEqual([['hello'], ['presence']])
  })

  test('leave out what was to be told of people once the team has changed', () => {
    greet()
    useUp()
    tell(bea, 2)
    stream.queueTeamChange()
    stream.flush()
    clock.pass(1000)
    expect(sink.deliveries().at(-1)?.events).toEqual([{ type: 'team-changed' }])
  })

  test('of more people than are worth telling one by one say so in one word', () => {
    greet()
    for (let n = 0; n < 300; n++) tell(uuidv7(), n)
    clock.pass(1000)
    const events = sink.deliveries().at(-1)?.events ?? []
    expect(events.at(-1)).toEqual({ type: 'team-changed' })
    expect(events.length).toBeLessThan(60)
  })
})

describe('a client that does not keep up', () => {
  test('is written nothing more until it does, and then what is true by then', () => {
    sink.isFull = true
    greet()
    for (let version = 2; version < 500; version++) {
      tell(bea, version)
      clock.pass(10)
    }
    expect(sink.written).toHaveLength(1)
    sink.isFull = false
    sink.drain()
    expect(sink.deliveries()).toHaveLength(2)
    expect(sink.deliveries().at(-1)?.events).toMatchObject([{ presence: { version: 499 } }])
  })

  test('is given up after half a minute', () => {
    sink.isFull = true
    greet()
    clock.pass(29_000)
    expect(stream.heartbeat()).toBe(true)
    clock.pass(2_000)
    expect(stream.heartbeat()).toBe(false)
    stream.destroy()
    expect(sink.isDestroyed).toBe(true)
  })

  test('does not hold the connection after the goodbye that it does not take', () => {
    sink.isFull = true
    greet()
    stream.end('renew')
    clock.pass(1_999)
    expect(sink.isDestroyed).toBe(false)
    clock.pass(1)
    expect(sink.isDestroyed).toBe(true)
  })
})

test('a quiet stream says that it is there', () => {
  greet()
  for (let second = 0; second < 60; second++) {
    clock.pass(1000)
    stream.heartbeat()
  }
  expect(sink.written.filter(({ text }) => text === ':\n\n').map(({ atMs }) => atMs)).toEqual([20_000, 40_000, 60_000])
})

test('nothing is written behind the goodbye', () => {
  greet()
  useUp()
  tell(bea, 2)
  stream.end('renew')
  tell(bea, 3)
  clock.pass(60_000)
  stream.heartbeat()
  stream.end('restart')
  expect(sink.deliveries().at(-1)?.events).toEqual([{ type: 'bye', reason: 'renew' }])
  expect(JSON.stringify(sink.deliveries())).not.toContain(bea)
})

test('a stream that was over before it was greeted says goodbye and nothing else', () => {
  stream.end('too-many')
  greet()
  tell(bea, 2)
  expect(sink.deliveries().map(({ events }) => events)).toEqual([[{ type: 'bye', reason: 'too-many' }]])
})
