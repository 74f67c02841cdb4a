import '../ui/tokens.css'
import { readHome } from '@deeb/core/home/api'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { HOME } from '../testing/mock-api.ts'
import { removeTokens, storeTokens } from '../testing/stored-tokens.ts'
import { emulateMedia } from '../ui/testing/emulated-media.ts'
import { emulateTimeZone } from '../ui/testing/emulated-time-zone.ts'
import HomeScreen from './HomeScreen.tsx'

const SESSION_ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

/** How far the server's clock is ahead of this device's. */
let serverAheadMs = 0

beforeEach(() => {
  serverAheadMs = 0
  storeTokens('mara')
})
afterEach(async () => {
  await cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  removeTokens()
  show(true)
})

/** Opens Home at a time of day, in a session that began at `startedAt`. The goal is an hour. */
async function openHome(startedAt: string, time: string): Promise<void> {
  await emulateMedia({ 'prefers-reduced-motion': 'reduce' })
  await emulateTimeZone('UTC')
  vi.useFakeTimers({
    toFake: ['Date', 'performance', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'],
    now: Date.parse(`2026-06-15T${time}Z`),
  })
  const openSession = { id: SESSION_ID, startedAt: `2026-06-15T${startedAt}.000Z`, endedAt: null }
  vi.spyOn(window, 'fetch').mockImplementation(async (address) => {
    if (!String(address).startsWith(readHome.path)) return new Response(null, { status: 503 })
    const serverTime = new Date(Date.now() + serverAheadMs).toISOString()
    const date = serverTime.slice(0, 10)
    const startsAt = `${date}T00:00:00.000Z`
    const endsAt = new Date(Date.parse(startsAt) + 24 * HOUR_MS).toISOString()
    const today = { ...HOME.today, date, startsAt, endsAt, dayOfWeek: new Date(startsAt).getUTCDay() }
    return Response.json({ ...HOME, openSession, today, serverTime })
  })
  const queryClient = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } })
  await render(
    <QueryClientProvider client={queryClient}>
      <HomeScreen />
    </QueryClientProvider>,
  )
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** Hides or shows the tab. */
function show(isShown: boolean): void {
  Object.defineProperty(document, 'hidden', { value: !isShown, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}

/** Waits until the ring, its text, the percentage and the clock of the session show this. */
async function expectShown(name: string, text: string, percent: string, clock: string): Promise<void> {
  await expect.element(page.getByRole('timer')).toHaveTextContent(clock)
  await expect.element(page.getByRole('img', { name: /today/ })).toHaveAccessibleName(name)
  expect(document.querySelector('.ring-time')?.textContent).toBe(text)
  expect(document.querySelector('.home-percent')?.textContent).toBe(percent)
}

/** How much of the circle the ink covers, in percent. */
function ink(): number {
  return Number.parseFloat(document.querySelector('.ring-arc.stroke-ink')?.getAttribute('stroke-dasharray') ?? '0')
}

test('the ring, its minutes and the percentage change with the minute, and the clock every second', async () => {
  await openHome('09:00:00', '09:02:59')
  await expectShown('0 hours 2 minutes of 1 hour 0 minutes today, 3 percent', '0h 2m', '3%', '0:02:59')
  await pass(SECOND_MS)
  await expectShown('0 hours 3 minutes of 1 hour 0 minutes today, 5 percent', '0h 3m', '5%', '0:03:00')
  expect(ink()).toBeCloseTo(5, 1)
  await pass(SECOND_MS)
  await expectShown('0 hours 3 minutes of 1 hour 0 minutes today, 5 percent', '0h 3m', '5%', '0:03:01')
  // A step of the ring is 5 seconds.
  await pass(4 * SECOND_MS)
  await expectShown('0 hours 3 minutes of 1 hour 0 minutes today, 5 percent', '0h 3m', '5%', '0:03:05')
  expect(ink()).toBeCloseTo((185 / 3600) * 100, 1)
})

test('the ring is full in the second in which the goal is reached', async () => {
  await openHome('09:00:00', '09:59:59')
  await expectShown('0 hours 59 minutes of 1 hour 0 minutes today, 98 percent', '0h 59m', '98%', '0:59:59')
  expect(document.querySelector('[data-moment=goal]')).toBeNull()
  await pass(SECOND_MS)
  await expectShown('1 hour 0 minutes of 1 hour 0 minutes today, 100 percent', '1h 0m', '100%', '1:00:00')
  expect(ink()).toBe(100)
  await expect.element(page.getByText('over performer')).toBeVisible()
  expect(document.querySelector('[data-moment=goal]')).not.toBeNull()
})

test('the ring of a new day begins at midnight, and the clock continues', async () => {
  await openHome('23:00:00', '23:59:59')
  await expectShown('0 hours 59 minutes of 1 hour 0 minutes today, 98 percent', '0h 59m', '98%', '0:59:59')
  await pass(2 * SECOND_MS)
  await expectShown('0 hours 0 minutes of 1 hour 0 minutes today, 0 percent', '0h 0m', '0%', '1:00:01')
  await pass(59 * SECOND_MS)
  await expectShown('0 hours 1 minute of 1 hour 0 minutes today, 2 percent', '0h 1m', '2%', '1:01:00')
})

test('after the clock of the device was set, ring and clock show the time of the server again', async () => {
  await openHome('09:00:00', '09:10:00')
  await expectShown('0 hours 10 minutes of 1 hour 0 minutes today, 17 percent', '0h 10m', '17%', '0:10:00')
  vi.setSystemTime(Date.now() + HOUR_MS)
  serverAheadMs = -HOUR_MS
  await pass(SECOND_MS)
  await expectShown('0 hours 10 minutes of 1 hour 0 minutes today, 17 percent', '0h 10m', '17%', '0:10:01')
})

test('a tab that was hidden for an hour is right as soon as it is shown, and had no timer', async () => {
  await openHome('09:00:00', '09:10:00')
  await expectShown('0 hours 10 minutes of 1 hour 0 minutes today, 17 percent', '0h 10m', '17%', '0:10:00')
  show(false)
  vi.advanceTimersByTime(HOUR_MS)
  await pass(SECOND_MS)
  expect(document.querySelector('[role=timer]')?.textContent).toBe('0:10:00')
  vi.mocked(window.fetch).mockRejectedValue(new TypeError('Failed to fetch'))
  show(true)
  await expectShown('1 hour 10 minutes of 1 hour 0 minutes today, 117 percent', '1h 10m', '117%', '1:10:01')
})
