import { readHome } from '@deeb/core/home/api'
import { readWeek } from '@deeb/core/stats/api'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { currentTimeZone } from '../device/local-time.ts'
import { removeTokens, storeTokens } from '../testing/stored-tokens.ts'
import { type Home, useWeek } from './day-queries.ts'
import { shownOpenSession } from './focus-cache.ts'

const READ = { openSession: null, forgottenSession: null, version: 1, serverTime: '2026-06-15T09:00:00.000Z' }
const NO_HISTORY = { averageWeekMinutes: null, firstWeek: null, earlierWeeksMinutes: [], lastWeekMinutes: [] }
const SESSION = { id: '01890a5d-ac96-774b-bcce-b302099a8057', startedAt: READ.serverTime, endedAt: null }

afterEach(() => {
  vi.restoreAllMocks()
  removeTokens()
})

test('the open session of a newer version is shown before the response of this query arrives', async () => {
  storeTokens('mara')
  const now = Date.now()
  const at = (ms: number) => new Date(now + ms).toISOString()
  const day = { date: '2026-06-15', dayOfWeek: 1, startsAt: at(-3_600_000), endsAt: at(3_600_000), savedSeconds: 0 }
  const queryClient = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } })
  const week = { ...READ, openSession: { ...SESSION, startedAt: at(-60_000) }, week: [{ ...day, goalMinutes: 60 }] }
  queryClient.setQueryData([readWeek.path, currentTimeZone()], { ...week, ...NO_HISTORY })
  // Another device ended it. The version decides, not which of the two was fetched later.
  queryClient.setQueryData(
    [readHome.path, currentTimeZone()],
    { ...READ, version: 2, today: day },
    { updatedAt: now - 1000 },
  )
  vi.spyOn(window, 'fetch').mockImplementation(() => new Promise(() => undefined))
  function Profile() {
    const { data } = useWeek()
    return <p>{`${data?.openSession ? 'on' : 'off'}, ${data?.week[0]?.savedSeconds} s`}</p>
  }
  await render(
    <QueryClientProvider client={queryClient}>
      <Profile />
    </QueryClientProvider>,
  )
  await expect.element(page.getByText(/^off, 6\d s$/)).toBeVisible()
  expect(shownOpenSession(queryClient, [])).toBeNull()
})

test('a new day does not make old server state look newer', async () => {
  storeTokens('mara')
  const now = Date.now()
  const at = (ms: number) => new Date(now + ms).toISOString()
  const today = { date: '2026-06-15', dayOfWeek: 1, startsAt: at(-80_000_000), endsAt: at(1_000), savedSeconds: 0 }
  const state = { openSession: null, forgottenSession: null, version: 1, serverTime: at(0) }
  const home = [readHome.path, currentTimeZone()]
  const queryClient = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } })
  // From an earlier visit. The session has ended since then.
  queryClient.setQueryData(home, { ...state, openSession: SESSION, today }, { updatedAt: now - 3_600_000 })
  vi.spyOn(window, 'fetch')
    .mockResolvedValueOnce(Response.json({ ...state, week: [{ ...today, goalMinutes: 60 }], ...NO_HISTORY }))
    .mockRejectedValue(new TypeError('Failed to fetch'))
  function Profile() {
    return <p>{useWeek().status}</p>
  }
  await render(
    <QueryClientProvider client={queryClient}>
      <Profile />
    </QueryClientProvider>,
  )
  await expect.poll(() => shownOpenSession(queryClient, [])).toBeNull()
  await expect.poll(() => queryClient.getQueryData<Home>(home)?.today.date, { timeout: 5_000 }).not.toBe(today.date)
  expect(shownOpenSession(queryClient, [])).toBeNull()
})
