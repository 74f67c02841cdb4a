import { readHome } from '@deeb/core/home/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import { readWeek } from '@deeb/core/stats/api'
import { QueryClient, type QueryKey, QueryObserver } from '@tanstack/react-query'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { forgetKept, kept } from '../calls/kept.ts'
import { TEAM_KEY } from '../focus/focus-cache.ts'
import { persistCache } from './persist-cache.ts'

const STORAGE_KEY = 'persisted-cache-in-a-test'
const MARA = 'mara'
const KEY = [readHome.path, 'Europe/Berlin']
const DAY_MS = 24 * 3_600_000

const HOME = {
  openSession: null,
  forgottenSession: null,
  version: 1,
  serverTime: '2026-05-11T12:00:00.000Z',
  profile: {
    id: '11111111-1111-4111-8111-111111111111',
    username: 'mara',
    firstName: null,
    lastName: null,
    email: 'mara@fjordlab.example',
    companyDomain: null,
  },
  goals: [],
  today: {
    date: '2026-05-11',
    dayOfWeek: 1,
    startsAt: '2026-05-10T22:00:00.000Z',
    endsAt: '2026-05-11T22:00:00.000Z',
    savedSeconds: 1500,
  },
}

const { profile: _, goals: __, today, ...FOCUS } = HOME
const WEEK = {
  ...FOCUS,
  week: [{ ...today, goalMinutes: 240 }],
  averageWeekMinutes: null,
  firstWeek: null,
  earlierWeeksMinutes: [],
  lastWeekMinutes: [0, 0, 0, 0, 0, 0, 0],
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-05-11T12:00:00.000Z') })
})
afterEach(() => {
  vi.useRealTimers()
  localStorage.removeItem(STORAGE_KEY)
})

/** A new page, as after a reload. */
function openPage(userId = MARA) {
  const queryClient = new QueryClient()
  return { queryClient, persistence: persistCache(queryClient, { userId, storageKey: STORAGE_KEY }) }
}

async function readAndClose(queryKey: QueryKey, data: unknown): Promise<void> {
  const { queryClient, persistence } = openPage()
  await queryClient.fetchQuery({ queryKey, queryFn: () => data })
  vi.advanceTimersByTime(1000)
  persistence.stop()
}

test('the next visit restores a query with its original timestamp', async () => {
  await readAndClose(KEY, HOME)
  vi.advanceTimersByTime(60_000)
  const { queryClient, persistence } = openPage()
  expect(persistence.canShowHome).toBe(true)
  expect(queryClient.getQueryData(KEY)).toEqual(HOME)
  expect(queryClient.getQueryState(KEY)?.dataUpdatedAt).toBe(Date.parse('2026-05-11T12:00:00.000Z'))
})

test('a restored query has no forgotten session', async () => {
  const forgottenSession = {
    id: '01890a5d-ac96-774b-bcce-b302099a8057',
    startedAt: '2026-05-10T08:00:00.000Z',
    endedAt: '2026-05-11T00:00:00.000Z',
  }
  await readAndClose(KEY, { ...HOME, forgottenSession })
  const { queryClient, persistence } = openPage()
  expect(queryClient.getQueryData(KEY)).toEqual(HOME)
  persistence.stop()
})

test('a new day begins with no saved time', async () => {
  await readAndClose(KEY, HOME)
  vi.advanceTimersByTime(DAY_MS)
  expect(openPage().queryClient.getQueryData(KEY)).toMatchObject({ today: { date: '2026-05-12', savedSeconds: 0 } })
})

test('changes of a restored query are persisted, also if no screen has shown it', async () => {
  await readAndClose(KEY, HOME)
  const { queryClient, persistence } = openPage()
  vi.advanceTimersByTime(600_000)
  await queryClient.fetchQuery({
    queryKey: TEAM_KEY,
    queryFn: () => ({ ...HOME, connections: [], requests: [] }),
  })
  const openSession = { id: '01890a5d-ac96-774b-bcce-b302099a8057', startedAt: HOME.serverTime, endedAt: null }
  queryClient.setQueryData<object>(KEY, (home) => ({ ...home, openSession }))
  vi.advanceTimersByTime(1000)
  persistence.stop()
  expect(openPage().queryClient.getQueryData(KEY)).toMatchObject({ openSession })
})

test('a query that was reset stays persisted until it is refetched', async () => {
  await readAndClose(KEY, HOME)
  const { queryClient, persistence } = openPage()
  queryClient.getQueryCache().find({ queryKey: KEY })?.reset()
  await queryClient.fetchQuery({ queryKey: [readSessions.path], queryFn: () => ({ ...HOME, sessions: [] }) })
  vi.advanceTimersByTime(1000)
  persistence.stop()
  expect(openPage().persistence.canShowHome).toBe(true)
})

test('the twelve earlier weeks that were read last are restored, though they are over', async () => {
  const keyOf = (n: number) => [readWeek.path, 'Europe/Berlin', `2026-0${1 + (n % 4)}-0${1 + Math.floor(n / 4)}`]
  for (let n = 0; n < 14; n++) {
    await readAndClose(keyOf(n), WEEK)
    vi.advanceTimersByTime(60_000)
  }
  await readAndClose([readWeek.path, 'Europe/Berlin'], WEEK)
  vi.advanceTimersByTime(DAY_MS)
  const { queryClient } = openPage()
  const restored = Array.from({ length: 14 }, (_, n) => queryClient.getQueryData(keyOf(n)) !== undefined)
  expect(restored).toEqual([false, false, ...Array(12).fill(true)])
  expect(queryClient.getQueryData([readWeek.path, 'Europe/Berlin'])).toBeUndefined()
})

test('a restored query does not replace a newer response', async () => {
  await readAndClose(KEY, HOME)
  const queryClient = new QueryClient()
  const newer = { ...HOME, serverTime: '2026-05-11T12:00:05.000Z' }
  queryClient.setQueryData(KEY, newer)
  persistCache(queryClient, { userId: MARA, storageKey: STORAGE_KEY })
  expect(queryClient.getQueryData(KEY)).toEqual(newer)
})

describe('the persisted cache', () => {
  const isEmpty = (userId = MARA) => {
    const { queryClient, persistence } = openPage(userId)
    return !persistence.canShowHome && queryClient.getQueryCache().getAll().length === 0
  }

  test('is not restored for another user', async () => {
    await readAndClose(KEY, HOME)
    expect(isEmpty('somebody')).toBe(true)
  })

  test('is not restored after 7 days', async () => {
    await readAndClose(KEY, HOME)
    vi.setSystemTime(Date.parse('2026-05-18T12:00:00.000Z'))
    expect(isEmpty()).toBe(false)
    vi.setSystemTime(Date.parse('2026-05-18T12:00:00.001Z'))
    expect(isEmpty()).toBe(true)
  })

  test('is not restored with another schema', async () => {
    await readAndClose(KEY, { ...HOME, today: 'monday' })
    expect(isEmpty()).toBe(true)
    localStorage.setItem(STORAGE_KEY, '{')
    expect(isEmpty()).toBe(true)
  })

  test('is not restored for a week that is over', async () => {
    await readAndClose([readWeek.path, 'Europe/Berlin'], WEEK)
    expect(openPage().queryClient.getQueryCache().getAll()).toHaveLength(1)
    vi.advanceTimersByTime(DAY_MS)
    expect(isEmpty()).toBe(true)
  })
})

test('the next visit restores goals that were not saved, for the same user', async () => {
  const goals = [{ dayOfWeek: 1, goalMinutes: 90 }]
  await readAndClose(['goals-draft'], { goals })
  expect(openPage().queryClient.getQueryData(['goals-draft'])).toMatchObject({ goals })
  expect(openPage('bea').queryClient.getQueryData(['goals-draft'])).toBeUndefined()
})

describe('a query that keeps its answer', () => {
  const NAMES = ['names']
  const schema = v.object({ names: v.array(v.string()), secret: v.string() })
  const optionsOf = (queryClient: QueryClient) => ({
    queryKey: NAMES,
    ...kept(queryClient, NAMES, { schema, keep: (data) => ({ ...data, secret: '' }) }),
  })
  const shownBy = (queryClient: QueryClient) =>
    new QueryObserver(queryClient, optionsOf(queryClient)).getCurrentResult()

  beforeEach(async () => {
    const { queryClient, persistence } = openPage()
    await queryClient.fetchQuery({ ...optionsOf(queryClient), queryFn: () => ({ names: ['noa'], secret: 'abc' }) })
    vi.advanceTimersByTime(1000)
    persistence.stop()
  })

  test('shows it on the next visit with its original timestamp, without what is not to be stored', () => {
    expect(localStorage.getItem(STORAGE_KEY)).not.toContain('abc')
    vi.advanceTimersByTime(60_000)
    const { data, dataUpdatedAt } = shownBy(openPage().queryClient)
    expect(data).toEqual({ names: ['noa'], secret: '' })
    expect(dataUpdatedAt).toBe(Date.parse('2026-05-11T12:00:00.000Z'))
  })

  test('does not show it to another user, nor with another schema', () => {
    expect(shownBy(openPage('bea').queryClient).data).toBeUndefined()
    const stored = localStorage.getItem(STORAGE_KEY) ?? ''
    localStorage.setItem(STORAGE_KEY, stored.replace('["noa"]', '"noa"'))
    expect(shownBy(openPage().queryClient).data).toBeUndefined()
  })

  test('no longer shows what has become wrong', () => {
    const { queryClient } = openPage()
    forgetKept(queryClient, NAMES)
    expect(shownBy(queryClient).data).toBeUndefined()
  })
})
