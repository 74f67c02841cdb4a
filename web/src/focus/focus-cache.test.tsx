import { readHome } from '@deeb/core/home/api'
import { readWeek } from '@deeb/core/stats/api'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { applyOwnState } from './apply-own-state.ts'
import { applyBatchResult, refetchFocusQueries, shownOpenSession, withOverlay } from './focus-cache.ts'

const READ = { openSession: null, forgottenSession: null, version: 1, serverTime: '2026-06-15T09:00:00.000Z' }
const SESSION = { id: '01890a5d-ac96-774b-bcce-b302099a8057', startedAt: READ.serverTime, endedAt: null }

/** A screen whose query is answered by the test. */
function openScreen(queryClient = new QueryClient(), path: string = readWeek.path) {
  const answers: ((read: object) => void)[] = []
  const queryFn = () => new Promise<object>((answer) => answers.push(answer))
  const observer = new QueryObserver(queryClient, { queryKey: [path, 'UTC'], queryFn })
  const states: string[] = []
  const leave = observer.subscribe(({ status, fetchStatus }) => states.push(`${status} ${fetchStatus}`))
  return { queryClient, answers, observer, states, leave }
}

test.each(['for the first time', 'again'])(
  'a switch that is answered while the screen is loading %s cancels the stale response without an error',
  async (time) => {
    const { queryClient, answers, observer, states, leave } = openScreen()
    if (time === 'again') {
      answers[0]?.(READ)
      await expect.poll(() => states.at(-1)).toBe('success idle')
      void observer.refetch()
    }
    const asked = answers.length
    applyBatchResult(queryClient, { userId: 'mara', taken: [], openSession: SESSION })
    answers[asked - 1]?.({ ...READ, version: 2 })
    await expect.poll(() => answers.length).toBe(asked + 1)
    answers[asked]?.({ ...READ, version: 3, openSession: SESSION })
    await expect.poll(() => observer.getCurrentResult().data).toMatchObject({ version: 3, openSession: SESSION })
    leave()
    expect(states.filter((state) => state.startsWith('error'))).toEqual([])
    expect(states.at(-1)).toBe('success idle')
  },
)

test('an inactive query ignores a response that predates an answered switch', async () => {
  const home = openScreen(undefined, readHome.path)
  const { queryClient } = home
  home.answers[0]?.(READ)
  await expect.poll(() => home.states.at(-1)).toBe('success idle')
  void home.observer.refetch()
  home.leave()
  const week = openScreen(queryClient)
  week.answers[0]?.(READ)
  await expect.poll(() => week.states.at(-1)).toBe('success idle')

  applyBatchResult(queryClient, { userId: 'mara', taken: [], openSession: SESSION })
  home.answers[1]?.(READ)
  await expect.poll(() => home.answers.length).toBe(3)
  week.answers[1]?.({ ...READ, version: 2, openSession: SESSION })
  await expect.poll(() => week.states.at(-1)).toBe('success idle')
  expect(shownOpenSession(queryClient, [])).toEqual(SESSION)
  expect(queryClient.getQueryData([readHome.path, 'UTC'])).toMatchObject({ openSession: SESSION })
  week.leave()
})

test('a live event refetches a query that failed', async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const queryFn = vi.fn().mockRejectedValueOnce(new Error('unavailable')).mockResolvedValue(READ)
  const observer = new QueryObserver(queryClient, { queryKey: [readHome.path, 'UTC'], queryFn })
  const leave = observer.subscribe(() => undefined)
  await expect.poll(() => observer.getCurrentResult().status).toBe('error')
  applyOwnState(queryClient, { openSession: null, version: 1 })
  await expect.poll(() => observer.getCurrentResult().data).toEqual(READ)
  leave()
})

test('a change of sessions refetches screens that are not shown, but earlier weeks only when they are shown again', async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
  const queryFn = vi.fn().mockResolvedValue(READ)
  const keys = [[readWeek.path, 'UTC'], ...['2026-06-01', '2026-06-08'].map((week) => [readWeek.path, 'UTC', week])]
  for (const queryKey of keys) await queryClient.fetchQuery({ queryKey, queryFn })
  refetchFocusQueries(queryClient)
  await expect.poll(() => keys.map((key) => queryClient.getQueryData(key))).toEqual([READ, undefined, undefined])
  const calls = queryFn.mock.calls.map(([{ queryKey }]) => queryKey[2])
  expect(calls.slice(3)).not.toEqual([])
  expect(new Set(calls.slice(3))).toEqual(new Set([undefined]))
})

test('a live event with another target of the open session changes it on every screen', async () => {
  const { queryClient, answers, states, leave } = openScreen()
  answers[0]?.({ ...READ, openSession: SESSION })
  await expect.poll(() => states.at(-1)).toBe('success idle')
  const session = { ...SESSION, targetMinutes: 50 }
  applyOwnState(queryClient, { openSession: session, version: 2 })
  expect(shownOpenSession(queryClient, [])).toEqual(session)
  leave()
})

test('the target of a newer version is shown before the response of this query arrives', () => {
  const queryClient = new QueryClient()
  const week = { startsAt: '2026-06-15T00:00:00.000Z', endsAt: '2026-06-16T00:00:00.000Z', savedSeconds: 0 }
  const read = { ...READ, openSession: SESSION, week: [week] }
  queryClient.setQueryData([readHome.path], { ...READ, version: 2, openSession: { ...SESSION, targetMinutes: 50 } })
  expect(withOverlay(queryClient, read, [])).toEqual({ ...read, openSession: { ...SESSION, targetMinutes: 50 } })
})
