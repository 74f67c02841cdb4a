import type { OutputOf } from '@deeb/core/endpoint'
import type { FocusSession } from '@deeb/core/focus/api'
import { capOf } from '@deeb/core/focus/session'
import { readHome } from '@deeb/core/home/api'
import { readSessions } from '@deeb/core/sessions/api'
import { readWeek } from '@deeb/core/stats/api'
import { readTeam } from '@deeb/core/team/api'
import {
  type FetchStatus,
  type Query,
  type QueryClient,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { api } from '../api.ts'
import { askAgain } from '../ask-again.ts'
import { currentTimeZone } from '../local-time.ts'
import { serverNow } from '../server-clock.ts'
import type { WaitingChange } from './queue/stored-changes.ts'
import { type Settlement, useWaiting } from './queue/switch-queue.ts'
import { type FocusRead, openByPresses, withEnded, withWaiting } from './queue/with-waiting.ts'

const DAY_CHANGE_MS = 500
/** How long after its 16 hours an open session may wait to be ended. */
const SWEEP_MS = 65_000

/** The cache forgets nothing of the person's own: it follows what happens, also where it is not shown. */
export const AS_LONG_AS_OPEN = Number.POSITIVE_INFINITY

export type Home = OutputOf<typeof readHome>

/** In the cache, so that it goes with the person. */
const FOLLOWED_KEY = ['followed-version']

const PATHS: readonly unknown[] = [readHome.path, readWeek.path, readSessions.path, readTeam.path]

/** The cached reads in which a change of deeb mode, of sessions or of goals shows. */
export const FOCUS_READS = { predicate: ({ queryKey }: Query) => PATHS.includes(queryKey[0]) }

/**
 * After a change of what these reads add up: all are read again, and what is not shown is forgotten until then, so that no
 * screen opens with what was true before.
 */
export function readAgain(queries: QueryClient): void {
  for (const query of queries.getQueryCache().findAll({ ...FOCUS_READS, type: 'inactive' })) {
    query.reset()
    // Put back from an earlier visit and never shown in this one, it cannot be read yet.
    if (query.options.queryFn) query.fetch().catch(() => undefined)
  }
  askAgain(queries, FOCUS_READS)
}

/** Shows at once what the server took of what Home says of its person, and reads everything again. */
export function followSaved(queries: QueryClient, change: (home: Home) => Partial<Home>): void {
  const ofHome = { predicate: ({ queryKey }: Query) => queryKey[0] === readHome.path }
  queries.setQueriesData<Home>(ofHome, (home) => home && { ...home, ...change(home) })
  readAgain(queries)
}

/** What the home screen shows; Settings and the goal settings show parts of it. */
export function useHome() {
  return useDayRead(readHome.path, (timeZone) => api(readHome, { timeZone }))
}

/**
 * Whether the server has answered a read since its screen is shown. Until then it may be what was kept of an earlier visit:
 * good to look at, and nothing to ask or save anything by.
 */
export function useIsRead({ fetchStatus, isError }: { fetchStatus: FetchStatus; isError: boolean }): boolean {
  const [isRead, setIsRead] = useState(false)
  // Nor is one that failed once and waits until somebody looks to try again.
  if (!isRead && fetchStatus === 'idle' && !isError) setIsRead(true)
  return isRead
}

/** What the profile screen shows. */
export function useWeek() {
  return useDayRead(readWeek.path, (timeZone) => api(readWeek, { timeZone }))
}

/** Read anew when the day ends, when the device's zone changes and when one comes back. */
function useDayRead<Read extends FocusRead>(path: string, read: (timeZone: string) => Promise<Read>) {
  const queries = useQueryClient()
  const timeZone = currentTimeZone()
  const query = useFocusRead<Read>({
    queryKey: [path, timeZone],
    queryFn: () => read(timeZone),
    gcTime: AS_LONG_AS_OPEN,
  })
  const changesAt = query.data && nextChange(query.data)
  useEffect(() => {
    if (changesAt === undefined) return
    const untilThen = Math.max(0, changesAt - serverNow().getTime())
    const timer = setTimeout(() => {
      askAgain(queries, FOCUS_READS)
      // What it needs may be out of reach too: then the day begins with the network.
      beginDay(queries, timeZone).catch(() => undefined)
    }, untilThen)
    return () => clearTimeout(timer)
  }, [changesAt, timeZone, queries])
  return query
}

/** Shows Home's day as begun where it has: a day ends while nobody can be asked, too. */
async function beginDay(queries: QueryClient, timeZone: string): Promise<void> {
  const { homeLater } = await import('@deeb/core/home/later')
  const queryKey = [readHome.path, timeZone]
  // What it says of deeb mode is as old as it was.
  const updatedAt = queries.getQueryState(queryKey)?.dataUpdatedAt ?? 0
  queries.setQueryData<Home>(queryKey, (home) => home && homeLater(home, serverNow(), timeZone), { updatedAt })
}

/** When, in ms, the day or the open session is over without anybody doing anything. The server needs a moment for both. */
function nextChange({ openSession, today, week = [], serverTime }: FocusRead): number | undefined {
  const day = today ?? week.find((day) => serverTime < day.endsAt)
  const instants = [
    ...(day ? [Date.parse(day.endsAt) + DAY_CHANGE_MS] : []),
    ...(openSession ? [capOf(new Date(openSession.startedAt)).getTime() + SWEEP_MS] : []),
  ]
  return instants.length === 0 ? undefined : Math.min(...instants)
}

type FocusQuery<Read> = Pick<UseQueryOptions<Read>, 'queryKey' | 'queryFn' | 'structuralSharing' | 'gcTime'>

/**
 * What a screen shows of deeb mode. The cache keeps what the server said, screens show it with the presses that wait on
 * top: so nothing has to be taken back, and a read that comes in between is shown as true as one that comes after. Where
 * another screen's read has disproved what this one has of an earlier time, that is shown until it is read itself. An
 * answer that was on its way while live news came, and knows less than they did, is asked for again.
 */
export function useFocusRead<Read extends FocusRead>(options: FocusQuery<Read>) {
  const queries = useQueryClient()
  const waiting = useWaiting()
  const select = useCallback(
    (read: Read) => withWaiting(withNewest(read, newestRead(queries)), waiting),
    [queries, waiting],
  )
  const query = useQuery({ ...options, select })
  const isBehind = query.data !== undefined && query.data.version < followedVersion(queries)
  useEffect(() => {
    if (isBehind) void queries.invalidateQueries(FOCUS_READS, { cancelRefetch: false })
  }, [isBehind, queries])
  return query
}

/** The newest version of the own presence that the live stream told; 0 before it told one. */
export function followedVersion(queries: QueryClient): number {
  return queries.getQueryData<number>(FOLLOWED_KEY) ?? 0
}

export function setFollowedVersion(queries: QueryClient, version: number): void {
  queries.setQueryDefaults(FOLLOWED_KEY, { gcTime: AS_LONG_AS_OPEN })
  queries.setQueryData(FOLLOWED_KEY, version)
}

/** Whether all that is on the screen has been read since the own presence got this version. */
export function areUpTo(queries: QueryClient, version: number): boolean {
  const shown = queries.getQueryCache().findAll({ ...FOCUS_READS, type: 'active' })
  return shown.every(({ state }) => ((state.data as FocusRead | undefined)?.version ?? 0) >= version)
}

/** The session that is open, as the newest read of the server knows it; undefined before there is one. */
export function knownOpenSession(queries: QueryClient): FocusSession | null | undefined {
  return newestRead(queries)?.openSession
}

/** The session that is open as screens show it; undefined where nothing is known. */
export function shownOpenSession(
  queries: QueryClient,
  waiting: readonly WaitingChange[],
): FocusSession | null | undefined {
  const read = newestRead(queries)
  return read ? withWaiting(read, waiting).openSession : openByPresses(waiting)
}

function newestRead(queries: QueryClient): FocusRead | undefined {
  const reads = queries.getQueryCache().findAll(FOCUS_READS)
  const versionOf = ({ state }: Query) => (state.data as FocusRead).version
  const [newest] = reads
    .filter(({ state }) => state.data)
    .sort((a, b) => versionOf(b) - versionOf(a) || b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  return newest?.state.data as FocusRead | undefined
}

/** A read as far as another, of a higher version, knows better what is open. */
function withNewest<Read extends FocusRead>(read: Read, newest: FocusRead | undefined): Read {
  if (!newest || newest.version <= read.version || newest.openSession?.id === read.openSession?.id) return read
  const ended = read.openSession ? withEnded(read, read.openSession, serverNow()) : read
  return { ...ended, openSession: newest.openSession }
}

/** Shows a session as begun in all reads. */
export function showOpened(queries: QueryClient, session: FocusSession): void {
  update(queries, (read) => ({ ...read, openSession: session }))
}

/** Shows a session as ended: its time becomes saved time of its days. */
export function showEnded(queries: QueryClient, session: FocusSession, endedAt: Date): void {
  update(queries, (read) => withEnded(read, session, endedAt))
}

/** Makes what the server took part of what is known of it, and reads everything again. */
export function followSettlement(queries: QueryClient, { taken, openSession }: Settlement): void {
  update(queries, (read) => {
    const after = withWaiting(read, taken)
    return openSession === undefined ? after : { ...after, openSession }
  })
  askAgain(queries, FOCUS_READS)
}

function update(queries: QueryClient, change: (read: FocusRead) => FocusRead): void {
  queries.setQueriesData<FocusRead>(FOCUS_READS, (read) => read && change(read))
}
