import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { LiveDelivery, type LiveEvent } from '@deeb/core/live-events'
import { presenceOf } from '@deeb/core/presence/presence'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../testing/until.ts'
import { type Clock, LiveStream } from './stream.ts'

/** A clock that the test advances. */
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

/** An HTTP response that accepts writes or signals backpressure. */
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
    once: (_event: 'drain', listener: () => undefined) => {
      sink.drain = listener
    },
    deliveries: () =>
      sink.written
        .filter(({ text }) => text.startsWith('data: '))
        .map(({ atMs, text }) => ({ atMs, events: v.parse(LiveDelivery, JSON.parse(text.slice(6))) })),
  }
  return sink
}

let clock: ReturnType<typeof createClock>
let sink: ReturnType<typeof createSink>
let stream: LiveStream
const bea = uuidv7()
const now = () => new Date('2026-06-15T09:00:00.000Z')
const me = (version: number) => ({ openSession: null, version })

/** The nth state of a person: its start differs from the others. */
const nth = (n: number) => presenceOf({ startedAt: new Date(n).toISOString() }, now())

function deliver(userId: string, n: number): void {
  const event: LiveEvent = { type: 'presence', userId, presence: nth(n) }
  stream.queuePresence(userId, JSON.stringify(event))
  stream.flush()
}

beforeEach(() => {
  clock = createClock()
  sink = createSink()
  stream = new LiveStream({ ownerId: uuidv7(), sessionId: uuidv7(), endsAtMs: 0 }, now, clock)
})

const closers: (() => unknown)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Uses up the burst: later deliveries are throttled. */
function useUpBurst(): void {
  for (let n = 0; n < 10; n++) deliver(uuidv7(), 1)
  clock.pass(340)
}

const greet = () => stream.greet(sink as never, me(1))

describe('deliveries', () => {
  test('are immediate up to the burst', () => {
    greet()
    for (let n = 2; n < 8; n++) {
      deliver(bea, n)
      expect(sink.deliveries().at(-1)).toMatchObject({ atMs: clock.nowMs(), events: [{ presence: nth(n) }] })
      clock.pass(10)
    }
  })

  test('are throttled to 10 per second, with the newest state of each user', () => {
    greet()
    const people = Array.from({ length: 30 }, () => uuidv7())
    for (let n = 1; n <= 3000; n++) {
      deliver(people[n % 30] ?? '', n)
      if (n % 7 === 0) {
        stream.queueOwnState(me(n))
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
      const n = Date.parse(event.presence.since ?? '')
      expect(n).toBeGreaterThan(last.get(event.userId) ?? 0)
      last.set(event.userId, n)
    }
    expect([...last.values()].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => 2971 + n))
    expect(clock.waiting()).toBe(0)
  })

  test('begin with the greeting, also after queued events', () => {
    deliver(bea, 2)
    greet()
    clock.pass(100)
    expect(sink.deliveries().map(({ events }) => events.map(({ type }) => type))).toEqual([['hello'], ['presence']])
  })

  test('drop queued presences after a team change', () => {
    greet()
    useUpBurst()
    deliver(bea, 2)
    stream.queueTeamChange()
    stream.flush()
    clock.pass(1000)
    expect(sink.deliveries().at(-1)?.events).toEqual([{ type: 'team-changed' }])
  })

  test('replace too many queued presences by one team-changed event', () => {
    greet()
    for (let n = 0; n < 300; n++) deliver(uuidv7(), n)
    clock.pass(1000)
    const events = sink.deliveries().at(-1)?.events ?? []
    expect(events.at(-1)).toEqual({ type: 'team-changed' })
    expect(events.length).toBeLessThan(60)
  })
})

describe('backpressure: a slow client', () => {
  test('receives nothing until it drains, then the newest state', () => {
    sink.isFull = true
    greet()
    for (let n = 2; n < 500; n++) {
      deliver(bea, n)
      clock.pass(10)
    }
    expect(sink.written).toHaveLength(1)
    sink.isFull = false
    sink.drain()
    expect(sink.deliveries()).toHaveLength(2)
    expect(sink.deliveries().at(-1)?.events).toMatchObject([{ presence: nth(499) }])
  })

  test('on a connection takes no memory for what it has not read, and is up to date when it reads', async () => {
    const responses: ServerResponse[] = []
    const server = createServer((_request, response) => void responses.push(response)).listen(0, '127.0.0.1')
    closers.push(
      () => server.close(),
      () => server.closeAllConnections(),
    )
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await until(() => responses.length === 1)
    const [response] = responses as [ServerResponse]
    stream.greet(response, me(1))
    const large = 'x'.repeat(1e6)
    // More than the system takes without a reader.
    for (let n = 1; n <= 50; n++) {
      stream.queuePresence(bea, `"${n} ${large}"`)
      stream.flush()
      clock.pass(1000)
    }
    expect(response.writableLength).toBeGreaterThan(0)
    expect(response.writableLength).toBeLessThan(2e6)
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      text = (text + chunk).slice(-2e6)
    })
    socket.resume()
    await until(() => text.includes('"50 x'))
    stream.queuePresence(bea, '"afterwards"')
    stream.flush()
    await until(() => text.includes('"afterwards"'))
  })

  test('is disconnected after 30 seconds', () => {
    sink.isFull = true
    greet()
    clock.pass(29_000)
    expect(stream.heartbeat()).toBe(true)
    clock.pass(2_000)
    expect(stream.heartbeat()).toBe(false)
    stream.destroy()
    expect(sink.isDestroyed).toBe(true)
  })

  test('is disconnected 2 seconds after the last event', () => {
    sink.isFull = true
    greet()
    stream.end('renew')
    clock.pass(1_999)
    expect(sink.isDestroyed).toBe(false)
    clock.pass(1)
    expect(sink.isDestroyed).toBe(true)
  })
})

test('a quiet stream sends a heartbeat every 20 seconds', () => {
  greet()
  for (let second = 0; second < 60; second++) {
    clock.pass(1000)
    stream.heartbeat()
  }
  expect(sink.written.filter(({ text }) => text === ':\n\n').map(({ atMs }) => atMs)).toEqual([20_000, 40_000, 60_000])
})

test('a stream writes nothing after bye', () => {
  greet()
  useUpBurst()
  deliver(bea, 2)
  stream.end('renew')
  deliver(bea, 3)
  clock.pass(60_000)
  stream.heartbeat()
  stream.end('restart')
  expect(sink.deliveries().at(-1)?.events).toEqual([{ type: 'bye', reason: 'renew' }])
  expect(JSON.stringify(sink.deliveries())).not.toContain(bea)
})

test('a stream that ended before its greeting sends only bye', () => {
  stream.end('too-many')
  greet()
  deliver(bea, 2)
  expect(sink.deliveries().map(({ events }) => events)).toEqual([[{ type: 'bye', reason: 'too-many' }]])
})
