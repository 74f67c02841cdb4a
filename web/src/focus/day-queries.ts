import type { OutputOf } from '@deeb/core/endpoint'
import type { FocusRead } from '@deeb/core/focus/optimistic'
import { capOf } from '@deeb/core/focus/session'
import { readHome } from '@deeb/core/home/api'
import { homeAt } from '@deeb/core/home/cached-home'
import { readWeek } from '@deeb/core/stats/api'
import { type Query, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../calls/api.ts'
import { refetchAfterChange } from '../calls/refetch.ts'
import { serverNow } from '../calls/server-clock.ts'
import { currentTimeZone, currentZone } from '../device/local-time.ts'
import { FOCUS_QUERIES, NEVER_EVICTED, refetchFocusQueries } from './focus-cache.ts'
import { useFocusQuery } from './focus-queries.ts'

const DAY_CHANGE_MS = 500
/** The server may end an open session this long after its 16 hours. */
const CLOSED_WITHIN_MS = 65_000
/** Live events change the count. Navigation refetches it only in case one was lost. */
const COUNT_STALE_AFTER_MS = 60_000

export type Home = OutputOf<typeof readHome>
export type Week = OutputOf<typeof readWeek>

/** Today, the goals and the profile: all of Home, and parts of Settings and Goal Settings. */
export function useHome() {
  return useDayQuery(readHome.path, () => api(readHome, currentZone()))
}

/** The open session that this page knows of, on whichever screen. Does not ask the server. */
export function useKnownSession() {
  const timeZone = currentTimeZone()
  const { data } = useFocusQuery<Home>({
    queryKey: [readHome.path, timeZone],
    queryFn: () => api(readHome, currentZone()),
    gcTime: NEVER_EVICTED,
    enabled: false,
  })
  return data?.openSession
}

/** The number of pending requests to the user. It is part of Home, so that all screens show the same. */
export function useRequestCount(): number {
  const timeZone = currentTimeZone()
  const { data = 0 } = useQuery({
    queryKey: [readHome.path, timeZone],
    queryFn: () => api(readHome, currentZone()),
    select: ({ requests }) => requests,
    gcTime: NEVER_EVICTED,
    staleTime: COUNT_STALE_AFTER_MS,
  })
  return data
}

/** The question that a new user has not answered yet. Null: all are, so the switch is there. */
export function onboardingStep(home: Home): 'username' | 'goals' | null {
  if (!home.profile.username) return 'username'
  return home.goals.length === 0 ? 'goals' : null
}

/** The week that the profile shows. */
export function useWeek() {
  return useDayQuery(readWeek.path, () => api(readWeek, currentZone()))
}

/** Merges what the server saved into the cached Home, then refetches everything that it changes. */
export function mergeIntoHome(queryClient: QueryClient, change: (home: Home) => Partial<Home>): void {
  const ofHome = { predicate: ({ queryKey }: Query) => queryKey[0] === readHome.path }
  queryClient.setQueriesData<Home>(ofHome, (home) => home && { ...home, ...change(home) })
  refetchFocusQueries(queryClient)
}

/** Refetches when the day ends, when the device's time zone changes and when the open session reaches its maximum. */
function useDayQuery<Read extends FocusRead>(path: string, read: () => Promise<Read>) {
  const queryClient = useQueryClient()
  const timeZone = currentTimeZone()
  const query = useFocusQuery<Read>({
    queryKey: [path, timeZone],
    queryFn: read,
    gcTime: NEVER_EVICTED,
  })
  const changesAt = query.data && nextChange(query.data)
  useEffect(() => {
    if (changesAt === undefined) return
    const untilThen = Math.max(0, changesAt - serverNow().getTime())
    const timer = setTimeout(() => {
      refetchAfterChange(queryClient, FOCUS_QUERIES)
      beginDay(queryClient, timeZone)
    }, untilThen)
    return () => clearTimeout(timer)
  }, [changesAt, timeZone, queryClient])
  return query
}

/** Begins a new day in the cached Home, if one has begun: a day also ends offline. */
function beginDay(queryClient: QueryClient, timeZone: string): void {
  const queryKey = [readHome.path, timeZone]
  // Keeps the original timestamp: the deeb mode in it is no newer.
  const updatedAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? 0
  queryClient.setQueryData<Home>(queryKey, (home) => home && homeAt(home, serverNow(), timeZone), { updatedAt })
}

/** Returns the time, in ms, at which the day or the open session ends by itself. The server needs a moment for both. */
function nextChange({ openSession, today, week = [], serverTime }: FocusRead): number | undefined {
  const day = today ?? week.find((day) => serverTime < day.endsAt)
  const instants = [
    ...(day ? [Date.parse(day.endsAt) + DAY_CHANGE_MS] : []),
    ...(openSession ? [capOf(new Date(openSession.startedAt)).getTime() + CLOSED_WITHIN_MS] : []),
  ]
  return instants.length === 0 ? undefined : Math.min(...instants)
}
