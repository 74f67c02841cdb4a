import { readHome } from '@deeb/core/home/api'
import { readWeek } from '@deeb/core/stats/api'
import { focusManager, QueryClient, QueryClientProvider, QueryObserver, useQuery } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { currentTimeZone } from '../local-time.ts'
import { dropTokens, keepTokens } from '../testing/kept-tokens.ts'
import { followSettlement, type Home, shownOpenSession, useIsRead, useWeek } from './focus-reads.ts'
import { followOwnState } from './follow-own-state.ts'

const READ = { openSession: null, forgottenSession: null, version: 1, serverTime: '2026-06-15T09:00:00.000Z' }
const SESSION = { id: '01890a5d-ac96-774b-bcce-b302099a8057', startedAt: READ.serverTime, endedAt: null }

afterEach(() => {
  vi.restoreAllMocks()
  focusManager.setFocused(undefined)
  dropTokens()
})

/** A screen whose reads are answered by hand. */
function openScreen(queries = new QueryClient(), path: string = readWeek.path) {
  const answers: ((read: object) => void)[] = []
  const queryFn = () => new Promise<object>((answer) => answers.push(answer))
  const observer = new QueryObserver(queries, { queryKey: [path, 'UTC'], queryFn })
  const states: string[] = []
  const leave = observer.subscribe(({ status, fetchStatus }) => states.push(`${status} ${fetchStatus}`))
  return { queries, answers, observer, states, leave }
}

test.each(['for the first time', 'again'])(
  'a switch that is answered while the screen is read %s is no failure of that read, which is not taken',
  async (time) => {
    const { queries, answers, observer, states, leave } = openScreen()
    if (time === 'again') {
      answers[0]?.(READ)
      await expect.poll(() => states.at(-1)).toBe('success idle')
      void observer.refetch()
    }
    const asked = answers.length
    followSettlement(queries, { userId: 'mara', taken: [], openSession: SESSION })
    answers[asked - 1]?.({ ...READ, version: 2 })
    await expect.poll(() => answers.length).toBe(asked + 1)
    answers[asked]?.({ ...READ, version: 3, openSession: SESSION })
    await expect.poll(() => observer.getCurrentResult().data).toMatchObject({ version: 3, openSession: SESSION })
    leave()
    expect(states.filter((state) => state.startsWith('error'))).toEqual([])
    expect(states.at(-1)).toBe('success idle')
  },
)

test('the answer of a screen that was left, older than an answered switch, is not taken', async () => {
  const home = openScreen(undefined, readHome.path)
  const { queries } = home
  home.answers[0]?.(READ)
  await expect.poll(() => home.states.at(-1)).toBe('success idle')
  void home.observer.refetch()
  home.leave()
  const week = openScreen(queries)
  week.answers[0]?.(READ)
  await expect.poll(() => week.states.at(-1)).toBe('success idle')

  followSettlement(queries, { userId: 'mara', taken: [], openSession: SESSION })
  home.answers[1]?.(READ)
  await expect.poll(() => home.answers.length).toBe(3)
  week.answers[1]?.({ ...READ, version: 2, openSession: SESSION })
  await expect.poll(() => week.states.at(-1)).toBe('success idle')
  expect(shownOpenSession(queries, [])).toEqual(SESSION)
  expect(queries.getQueryData([readHome.path, 'UTC'])).toMatchObject({ openSession: SESSION })
  week.leave()
})

test('what was kept is not taken for read while nobody looks and nobody has answered', async () => {
  focusManager.setFocused(false)
  const queries = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: 3, retryDelay: 10 } } })
  queries.setQueryData(['home'], 'kept', { updatedAt: Date.now() - 60_000 })
  function Screen() {
    const read = useQuery({ queryKey: ['home'], queryFn: () => Promise.reject(new Error('unavailable')) })
    return <p>{`${read.fetchStatus}, ${useIsRead(read) ? 'read' : 'not read'}`}</p>
  }
  await render(
    <QueryClientProvider client={queries}>
      <Screen />
    </QueryClientProvider>,
  )
  await expect.element(page.getByText('paused')).toHaveTextContent('paused, not read')
})

test('what another screen has read since is shown, also before the own read is answered', async () => {
  keepTokens('mara')
  const now = Date.now()
  const at = (ms: number) => new Date(now + ms).toISOString()
  const day = { date: '2026-06-15', dayOfWeek: 1, startsAt: at(-3_600_000), endsAt: at(3_600_000), savedSeconds: 0 }
  const queries = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } })
  const week = { ...READ, openSession: { ...SESSION, startedAt: at(-60_000) }, week: [{ ...day, goalMinutes: 60 }] }
  queries.setQueryData([readWeek.path, currentTimeZone()], { ...week, averageWeekMinutes: null })
  // On another device it was ended. Which of the two was read later says nothing.
  queries.setQueryData(
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
    <QueryClientProvider client={queries}>
      <Profile />
    </QueryClientProvider>,
  )
  await expect.element(page.getByText(/^off, 6\d s$/)).toBeVisible()
  expect(shownOpenSession(queries, [])).toBeNull()
})

test('a read that failed is made again once the live stream tells something', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const queryFn = vi.fn().mockRejectedValueOnce(new Error('unavailable')).mockResolvedValue(READ)
  const observer = new QueryObserver(queries, { queryKey: [readHome.path, 'UTC'], queryFn })
  const leave = observer.subscribe(() => undefined)
  await expect.poll(() => observer.getCurrentResult().status).toBe('error')
  followOwnState(queries, { openSession: null, version: 1 })
  await expect.poll(() => observer.getCurrentResult().data).toEqual(READ)
  leave()
})

test('a day that ends makes no read newer that is of long ago', async () => {
  keepTokens('mara')
  const now = Date.now()
  const at = (ms: number) => new Date(now + ms).toISOString()
  const today = { date: '2026-06-15', dayOfWeek: 1, startsAt: at(-80_000_000), endsAt: at(1_000), savedSeconds: 0 }
  const state = { openSession: null, forgottenSession: null, version: 1, serverTime: at(0) }
  const home = [readHome.path, currentTimeZone()]
  const queries = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } })
  // Of an earlier visit, when a session was open that has ended since.
  queries.setQueryData(home, { ...state, openSession: SESSION, today }, { updatedAt: now - 3_600_000 })
  vi.spyOn(window, 'fetch')
    .mockResolvedValueOnce(Response.json({ ...state, week: [{ ...today, goalMinutes: 60 }], averageWeekMinutes: null }))
    .mockRejectedValue(new TypeError('Failed to fetch'))
  function Profile() {
    return <p>{useWeek().status}</p>
  }
  await render(
    <QueryClientProvider client={queries}>
      <Profile />
    </QueryClientProvider>,
  )
  await expect.poll(() => shownOpenSession(queries, [])).toBeNull()
  await expect.poll(() => queries.getQueryData<Home>(home)?.today.date, { timeout: 5_000 }).not.toBe(today.date)
  expect(shownOpenSession(queries, [])).toBeNull()
})
