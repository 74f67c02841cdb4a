import type { OutputOf } from '@deeb/core/endpoint'
import { type FocusSession, type FocusState, readSessions } from '@deeb/core/focus/api'
import { capOf } from '@deeb/core/focus/session'
import { type FocusDay, readHome, readWeek } from '@deeb/core/stats/api'
import { trackedSeconds } from '@deeb/core/stats/week'
import { readTeam } from '@deeb/core/team/api'
import { type Query, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../api.ts'
import { serverNow } from '../server-clock.ts'
import { currentTimeZone } from './time-zone.ts'

const DAY_CHANGE_MS = 500
/** How long after its 16 hours an open session may wait to be ended. */
const SWEEP_MS = 65_000

export type Home = OutputOf<typeof readHome>

/** What the reads of all screens have in common: deeb mode, and the days on which a switch shows. */
type FocusRead = FocusState & { today?: FocusDay; week?: FocusDay[] }

const PATHS: readonly unknown[] = [readHome.path, readWeek.path, readSessions.path, readTeam.path]

/** The cached reads in which a change of deeb mode, of sessions or of goals shows. */
export const FOCUS_READS = { predicate: ({ queryKey }: Query) => PATHS.includes(queryKey[0]) }

/**
 * After a change of what these reads add up: what is shown is read again, what is not is forgotten, so that no screen opens
 * with what was true before. Nobody waits for it: the change itself is done.
 */
export function readAgain(queries: QueryClient): void {
  queries.removeQueries({ ...FOCUS_READS, type: 'inactive' })
  void queries.invalidateQueries(FOCUS_READS)
}

/** What the home screen shows; Settings and the goal settings show parts of it. */
export function useHome() {
  return useDayRead(readHome.path, (timeZone) => api(readHome, { timeZone }))
}

/** What the profile screen shows. */
export function useWeek() {
  return useDayRead(readWeek.path, (timeZone) => api(readWeek, { timeZone }))
}

/** Read anew when the day ends, when the device's zone changes and when one comes back. */
function useDayRead<Read extends FocusRead>(path: string, read: (timeZone: string) => Promise<Read>) {
  const queries = useQueryClient()
  const timeZone = currentTimeZone()
  const query = useQuery({ queryKey: [path, timeZone], queryFn: () => read(timeZone) })
  const changesAt = query.data && nextChange(query.data)
  useEffect(() => {
    if (changesAt === undefined) return
    const untilThen = Math.max(0, changesAt - serverNow().getTime())
    const timer = setTimeout(() => queries.invalidateQueries(FOCUS_READS), untilThen)
    return () => clearTimeout(timer)
  }, [changesAt, queries])
  return query
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

/** The session that is open, as the newest read knows it; undefined before there is one. */
export function knownOpenSession(queries: QueryClient): FocusSession | null | undefined {
  const reads = queries.getQueryCache().findAll(FOCUS_READS)
  const [newest] = reads.filter(({ state }) => state.data).sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  return (newest?.state.data as FocusRead | undefined)?.openSession
}

/** Shows a session as begun in all reads. */
export function showOpened(queries: QueryClient, session: FocusSession): void {
  update(queries, (read) => ({ ...read, openSession: session }))
}

/** Shows a session as ended: its time becomes saved time of its days. */
export function showEnded(queries: QueryClient, session: FocusSession, endedAt: Date): void {
  update(queries, (read) => ({
    ...withDays(read, (day) => ({ ...day, savedSeconds: trackedSeconds(day, session, endedAt) })),
    openSession: null,
  }))
}

/** Takes back a beginning that was shown but not saved. */
export function takeBackOpened(queries: QueryClient): void {
  update(queries, (read) => ({ ...read, openSession: null }))
}

/** Takes back an end that was shown at `endedAt` but not saved. */
export function takeBackEnded(queries: QueryClient, session: FocusSession, endedAt: Date): void {
  const given = (day: FocusDay) => trackedSeconds({ ...day, savedSeconds: 0 }, session, endedAt)
  update(queries, (read) => ({
    ...withDays(read, (day) => ({ ...day, savedSeconds: day.savedSeconds - given(day) })),
    openSession: session,
  }))
}

function update(queries: QueryClient, change: (read: FocusRead) => FocusRead): void {
  queries.setQueriesData<FocusRead>(FOCUS_READS, (read) => read && change(read))
}

function withDays(read: FocusRead, change: (day: FocusDay) => FocusDay): FocusRead {
  const { today, week } = read
  return { ...read, ...(today && { today: change(today) }), ...(week && { week: week.map(change) }) }
}
