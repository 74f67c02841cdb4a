import type { LiveEvent } from '@deeb/core/live-events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { removeTokens, storeTokens } from '../testing/stored-tokens.ts'
import { readStream } from './stream.ts'

const onReceived = () => undefined
const CHANGED: LiveEvent = { type: 'team-changed' }
const RENEW: LiveEvent = { type: 'bye', reason: 'renew' }

beforeEach(() => {
  storeTokens('mara')
  // As in Safari before 17.4.
  vi.spyOn(AbortSignal, 'any').mockImplementation(() => {
    throw new TypeError('AbortSignal.any is not a function')
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  removeTokens()
})

/** The next stream delivers these events; after a RENEW the server ends it. Returns the abort signals of the requests. */
function serverSends(events: LiveEvent[]): AbortSignal[] {
  const signals: AbortSignal[] = []
  vi.spyOn(window, 'fetch').mockImplementation(async (_, { signal } = {}) => {
    if (!signal) throw new Error('This stream has no abort signal.')
    signals.push(signal)
    const start = (stream: ReadableStreamDefaultController<Uint8Array>) => {
      stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(events)}\n\n`))
      if (events.includes(RENEW)) stream.close()
      else signal.addEventListener('abort', () => stream.error(signal.reason))
    }
    return new Response(new ReadableStream({ start }))
  })
  return signals
}

test('a stream is read until the server ends it, and a later abort of the page does not reach it', async () => {
  const signals = serverSends([CHANGED, RENEW])
  const page = new AbortController()
  const received: LiveEvent[] = []
  expect(await readStream({ onDelivery: (events) => received.push(...events), onReceived }, page.signal)).toBe('renew')
  expect(received).toEqual([CHANGED, RENEW])
  page.abort()
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
})

test('an abort of the page ends its stream and prevents another one', async () => {
  const signals = serverSends([CHANGED])
  const page = new AbortController()
  const read = () => readStream({ onDelivery: () => page.abort(), onReceived }, page.signal)
  await expect(read()).rejects.toThrow('aborted')
  await expect(read()).rejects.toThrow('aborted')
  expect(signals).toHaveLength(1)
})
