import '../ui/tokens.css'
import { type Presence, presenceOf } from '@deeb/core/presence/presence'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { timeText } from '../device/local-time.ts'
import { translatePage } from '../testing/open-screen.tsx'
import { MemberRow } from './MemberList.tsx'

const START = '2026-06-15T09:00:00.000Z'
const person = { id: 'ann', username: null, firstName: 'Ann', lastName: null, email: 'ann@fjordlab.example' }
const minutesAfter = (minutes: number) => new Date(Date.parse(START) + minutes * 60_000)

beforeEach(() => {
  vi.useFakeTimers({ now: minutesAfter(10), toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const rowOf = (presence: Presence) => (
  <QueryClientProvider client={new QueryClient()}>
    <MemberRow person={person} presence={presence} />
  </QueryClientProvider>
)

function row(targetMinutes?: number) {
  return render(rowOf(presenceOf({ startedAt: START, ...(targetMinutes && { targetMinutes }) }, new Date())))
}

const shown = () => document.querySelector('.person-state')?.textContent
const since = `In deeb modesince ${timeText(new Date(START))}`

test('a row says until when, to 5 minutes, while that is ahead, and since when after it', async () => {
  await row(52)
  const until = `In deeb modeuntil ~about ${timeText(minutesAfter(50))}`
  await expect.poll(shown).toBe(until)
  vi.advanceTimersByTime(40 * 60_000 - 1_000)
  await expect.poll(shown).toBe(until)
  vi.advanceTimersByTime(2_000)
  await expect.poll(shown).toBe(since)
})

test('a row without a target says since when', async () => {
  await row()
  await expect.poll(shown).toBe(since)
})

test('a row changes with its person on a page that a browser has translated', async () => {
  const { container, rerender } = await row(52)
  translatePage(container)
  await rerender(rowOf({ inDeebMode: false, since: null, version: 2 }))
  await expect.poll(shown).toBe('Available')
  expect(container.textContent).toContain('ann@fjordlab.example')
})
