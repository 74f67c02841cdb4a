import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { removeTokens, storeTokens } from '../testing/stored-tokens.ts'
import { listenLive } from './one-per-browser.ts'

const USER = 'mara'
/** A proxy that buffers: it answers a stream when the stream ends, and `pass` makes it pass the bytes on. */
let passes = false
let streams = 0
let stop = () => {}
let silences: number[] = []

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  storeTokens(USER)
  passes = false
  streams = 0
  silences = []
  vi.spyOn(window, 'fetch').mockImplementation((_, { signal } = {}) => {
    streams += 1
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      if (!passes) return
      const start = (stream: ReadableStreamDefaultController<Uint8Array>) =>
        stream.enqueue(new TextEncoder().encode('data: [{"type":"team-changed"}]\n\n'))
      resolve(new Response(new ReadableStream({ start })))
    })
  })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
  removeTokens()
})

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) await vi.advanceTimersByTimeAsync(1_000)
}

test('behind a proxy that buffers the stream, the page asks every 40 to 60 seconds until an event arrives', async () => {
  let deliveries = 0
  stop = listenLive(USER, {
    onDelivery: () => {
      deliveries += 1
    },
    onReceived: () => undefined,
    onSilence: () => void silences.push(Date.now()),
  })
  await vi.waitFor(() => expect(streams).toBe(1))
  await pass(75)
  expect(silences).toEqual([])
  await pass(225)
  expect(silences.length).toBeGreaterThanOrEqual(4)
  const pauses = silences.slice(1).map((at, index) => (at - (silences[index] ?? 0)) / 1000)
  for (const seconds of pauses) expect(seconds).toSatisfy((pause: number) => pause >= 40 && pause <= 60)

  passes = true
  await pass(60)
  await vi.waitFor(() => expect(deliveries).toBeGreaterThan(0))
  const before = silences.length
  passes = false
  await pass(38)
  expect(silences).toHaveLength(before)
})
