import { readHome } from '@deeb/core/home/api'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { currentTimeZone } from '../device/local-time.ts'
import { discardPending, enqueue } from '../focus/queue/switch-queue.ts'
import { keepAppBadge } from './app-badge.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Home in the cache, and the counts that the icon got. */
function setUp(setAppBadge = vi.fn(async (_count?: number) => undefined)) {
  Object.defineProperty(navigator, 'setAppBadge', { value: setAppBadge, configurable: true })
  const queryClient = new QueryClient()
  const read = (requests: number, openSession: object | null = null) =>
    queryClient.setQueryData([readHome.path, currentTimeZone()], { requests, openSession })
  return { queryClient, read, shown: () => setAppBadge.mock.calls.map(([count]) => count ?? 'dot') }
}

/** Whether the device has a mouse. */
function onDevice(hasHover: boolean): void {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: !hasHover } as MediaQueryList)
}

test('the icon of the app has the number of requests, in deeb mode a dot instead, and nothing when the user leaves', () => {
  onDevice(true)
  const { queryClient, read, shown } = setUp()
  read(3)
  const stop = keepAppBadge(queryClient, 'mara')
  read(3)
  read(2)
  read(2, { id: 'a' })
  read(1)
  stop()
  read(4)
  expect(shown()).toEqual([3, 2, 'dot', 1, 0])
})

test('a press that is not sent yet counts', async () => {
  onDevice(true)
  const { queryClient, read, shown } = setUp()
  read(2)
  const stop = keepAppBadge(queryClient, 'mara')
  const sessionId = crypto.randomUUID()
  await enqueue({ userId: 'mara', to: 'on', sessionId, timeZone: 'UTC', actedAt: Date.now() })
  await discardPending('mara')
  stop()
  expect(shown()).toEqual([2, 'dot', 2, 0])
})

test('the dot goes when the page closes or is suspended, and comes back with it', () => {
  onDevice(true)
  const { queryClient, read, shown } = setUp()
  read(0, { id: 'a' })
  const stop = keepAppBadge(queryClient, 'mara')
  window.dispatchEvent(new Event('pagehide'))
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  stop()
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  expect(shown()).toEqual(['dot', 0, 'dot', 0])
})

test('a page that loads sets the badge once, also when the first answer is earlier than the end of the load', () => {
  const { queryClient, read, shown } = setUp()
  read(2)
  const stop = keepAppBadge(queryClient, 'mara')
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }))
  expect(shown()).toEqual([2])
  stop()
})

test('the number stays when the page closes', () => {
  onDevice(true)
  const { queryClient, read, shown } = setUp()
  read(2)
  const stop = keepAppBadge(queryClient, 'mara')
  window.dispatchEvent(new Event('pagehide'))
  expect(shown()).toEqual([2])
  stop()
})

test('a phone shows no dot: it could not remove it', () => {
  onDevice(false)
  const { queryClient, read, shown } = setUp()
  read(2, { id: 'a' })
  keepAppBadge(queryClient, 'mara')()
  expect(shown()).toEqual([0])
})

test('a browser that refuses a badge, or has none, is left alone', async () => {
  const { queryClient, read, shown } = setUp(vi.fn(async () => Promise.reject(new Error('NotAllowedError'))))
  read(1)
  keepAppBadge(queryClient, 'mara')()
  expect(shown()).toEqual([1, 0])
  Object.defineProperty(navigator, 'setAppBadge', { value: undefined, configurable: true })
  read(2)
  expect(() => keepAppBadge(queryClient, 'mara')()).not.toThrow()
})
