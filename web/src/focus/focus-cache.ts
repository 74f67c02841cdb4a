/*
 * Keeps deeb mode consistent between the queries of all screens: versions, the optimistic update of pending switches, the
 * server's answers and live events. The query cache holds server state only.
 */
import type { FocusSession } from '@deeb/core/focus/api'
import { type FocusRead, openByPending, type PendingSwitch, withEnded, withPending } from '@deeb/core/focus/optimistic'
import { readHome } from '@deeb/core/home/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import { readWeek } from '@deeb/core/stats/api'
import type { Query, QueryClient } from '@tanstack/react-query'
import { refetchAfterChange } from '../calls/refetch.ts'
import { byServerClock, serverNow } from '../calls/server-clock.ts'
import { isSwitch, type PendingChange } from './queue/stored-changes.ts'
import type { BatchResult } from './queue/switch-queue.ts'

/** For `gcTime`: queries of the user's data are never evicted, so that they follow changes also while no screen shows them. */
export const NEVER_EVICTED = Number.POSITIVE_INFINITY

/** The keys of the team and its alerts. They are no paths, since the first screen does not need the endpoints. */
export const TEAM_KEY = ['team']
export const ALERTS_KEY = ['alerts']

/** In the query cache, so that it is cleared together with the user's data. */
const LIVE_VERSION_KEY = ['live-version']

const KEYS: readonly unknown[] = [readHome.path, readWeek.path, readSessions.path, ...TEAM_KEY]

/** Matches the queries in which a change of deeb mode, of sessions or of goals shows. */
export const FOCUS_QUERIES = { predicate: ({ queryKey }: Query) => KEYS.includes(queryKey[0]) }

/**
 * Refetches all focus queries after a change of sessions or goals. Inactive ones are reset until they are refetched, so that
 * no screen opens with outdated totals. Earlier weeks are refetched when they are shown again: there may be many.
 */
export function refetchFocusQueries(queryClient: QueryClient): void {
  for (const query of queryClient.getQueryCache().findAll({ ...FOCUS_QUERIES, type: 'inactive' })) {
    query.reset()
    // A query from the persisted cache that no screen has used yet has no queryFn. The key of an earlier week has three parts.
    if (query.options.queryFn && query.queryKey.length < 3) query.fetch().catch(() => undefined)
  }
  refetchAfterChange(queryClient, FOCUS_QUERIES)
}

/** The newest version of the user's presence that the live stream published; 0 before the first one. */
export function liveVersion(queryClient: QueryClient): number {
  return queryClient.getQueryData<number>(LIVE_VERSION_KEY) ?? 0
}

export function setLiveVersion(queryClient: QueryClient, version: number): void {
  queryClient.setQueryDefaults(LIVE_VERSION_KEY, { gcTime: NEVER_EVICTED })
  queryClient.setQueryData(LIVE_VERSION_KEY, version)
}

/** Whether all active focus queries have at least this version of the user's presence. */
export function areUpToDate(queryClient: QueryClient, version: number): boolean {
  const active = queryClient.getQueryCache().findAll({ ...FOCUS_QUERIES, type: 'active' })
  return active.every(({ state }) => ((state.data as FocusRead | undefined)?.version ?? 0) >= version)
}

/** The open session in the server state of the highest version; undefined before the first answer. */
export function cachedOpenSession(queryClient: QueryClient): FocusSession | null | undefined {
  return newestRead(queryClient)?.openSession
}

/** The open session with pending switches applied; undefined if nothing is known. */
export function shownOpenSession(
  queryClient: QueryClient,
  pending: readonly PendingChange[],
): FocusSession | null | undefined {
  const read = newestRead(queryClient)
  const switches = toServerClock(pending)
  return read ? withPending(read, switches).openSession : openByPending(switches)
}

/** Server state of one query with the pending switches on top, and with the open session of a newer version if there is one. */
export function withOverlay<Read extends FocusRead>(
  queryClient: QueryClient,
  read: Read,
  pending: readonly PendingChange[],
): Read {
  return withPending(withNewest(read, newestRead(queryClient)), toServerClock(pending))
}

function toServerClock(changes: readonly PendingChange[]): PendingSwitch[] {
  return changes.filter(isSwitch).map(({ actedAt, ...change }) => ({ ...change, at: byServerClock(actedAt) }))
}

function newestRead(queryClient: QueryClient): FocusRead | undefined {
  const queries = queryClient.getQueryCache().findAll(FOCUS_QUERIES)
  const versionOf = ({ state }: Query) => (state.data as FocusRead).version
  const [newest] = queries
    .filter(({ state }) => state.data)
    .sort((a, b) => versionOf(b) - versionOf(a) || b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  return newest?.state.data as FocusRead | undefined
}

/** The newer version wins for the open session. Everything else stays until this query is refetched. */
function withNewest<Read extends FocusRead>(read: Read, newest: FocusRead | undefined): Read {
  if (!newest || newest.version <= read.version) return read
  const isSame = newest.openSession?.id === read.openSession?.id
  const ended = read.openSession && !isSame ? withEnded(read, read.openSession, serverNow()) : read
  return { ...ended, openSession: newest.openSession }
}

/** Opens a session in all cached focus queries, or updates the open one. */
export function cacheOpened(queryClient: QueryClient, session: FocusSession): void {
  update(queryClient, (read) => ({ ...read, openSession: session }))
}

/** Ends a session in all cached focus queries: its time becomes saved time of its days. */
export function cacheEnded(queryClient: QueryClient, session: FocusSession, endedAt: Date): void {
  update(queryClient, (read) => withEnded(read, session, endedAt))
}

/** Reconciles: adds the accepted changes to the cached server state, then refetches. */
export function applyBatchResult(queryClient: QueryClient, { taken, openSession }: BatchResult): void {
  const accepted = toServerClock(taken)
  update(queryClient, (read) => {
    const after = withPending(read, accepted)
    return openSession === undefined ? after : { ...after, openSession }
  })
  refetchAfterChange(queryClient, FOCUS_QUERIES)
}

function update(queryClient: QueryClient, change: (read: FocusRead) => FocusRead): void {
  queryClient.setQueriesData<FocusRead>(FOCUS_QUERIES, (read) => read && change(read))
}
