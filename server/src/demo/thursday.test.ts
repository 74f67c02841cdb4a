import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { thursdayClock } from './thursday.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** An instant by the clock of this machine. */
const local = (text: string) => new Date(text)

test.each([
  ['a Monday night', '2026-11-23T02:40:00', '2026-11-26T14:40:00'],
  ['a Thursday morning', '2026-11-26T09:00:00', '2026-11-26T14:40:00'],
  ['a Thursday evening', '2026-11-26T20:00:00', '2026-12-03T14:40:00'],
  ['a Sunday', '2026-12-27T12:00:00', '2026-12-31T14:40:00'],
])('the demo starts on Thursday afternoon on %s, and its time passes', (_, real, shown) => {
  vi.setSystemTime(local(real))
  const now = thursdayClock(new Date())
  expect(now()).toEqual(local(shown))
  vi.setSystemTime(Date.now() + 60_000)
  expect(now().getTime()).toBe(local(shown).getTime() + 60_000)
})
