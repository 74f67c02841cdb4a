import type { FocusSession, FocusState } from '@deeb/core/focus/api'
import { deviceZone } from '@deeb/core/focus/device-zone'
import { addSession, correctSession, discardSession, keepSession, restoreSession } from '@deeb/core/sessions/api'
import { type EndedSession, readSessions } from '@deeb/core/sessions/read-api'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../calls/api.ts'
import { FOCUS_QUERIES, NEVER_EVICTED, refetchFocusQueries } from '../focus/focus-cache.ts'
import { useFocusQuery } from '../focus/focus-queries.ts'

type SessionsRead = FocusState & { sessions?: EndedSession[] }

/** The user's focus sessions of the last 7 days. */
export function useSessions() {
  return useFocusQuery({
    queryKey: [readSessions.path],
    queryFn: () => api(readSessions, {}),
    gcTime: NEVER_EVICTED,
  })
}

/** The times of a session that has ended. */
export function toEnded({ startedAt, endedAt }: FocusSession): { startedAt: Date; endedAt: Date } {
  return { startedAt: new Date(startedAt), endedAt: new Date(endedAt ?? startedAt) }
}

/** The changes of a session. What is left out stays as it is. */
interface Correction {
  session: FocusSession
  startedAt?: Date
  endedAt?: Date
  interruptions?: number
}

export function useCorrectSession() {
  return useSessionChange(async ({ session, startedAt, endedAt, ...count }: Correction) => {
    const corrected = await api(correctSession, {
      sessionId: session.id,
      ...(startedAt && { startedAt: startedAt.toISOString() }),
      ...(endedAt && { endedAt: endedAt.toISOString() }),
      ...count,
    })
    return { sessionId: session.id, became: [corrected.session] }
  })
}

/** Adds a session that was missed. The id is the idempotency key. */
export function useAddSession() {
  return useSessionChange(async ({ id, startedAt, endedAt }: { id: string; startedAt: Date; endedAt: Date }) => {
    const times = { startedAt: startedAt.toISOString(), endedAt: endedAt.toISOString() }
    const { session } = await api(addSession, { sessionId: id, ...times, ...deviceZone(new Date(times.startedAt)) })
    return { sessionId: id, became: [session] }
  })
}

export function useDiscardSession() {
  return useSessionChange(async ({ id }: FocusSession) => {
    await api(discardSession, { sessionId: id })
    return { sessionId: id, became: [] }
  })
}

/** Undoes the deletion of a session. */
export function useRestoreSession() {
  return useSessionChange(async (deleted: FocusSession) => {
    const endedAt = toEnded(deleted).endedAt.toISOString()
    const { session } = await api(restoreSession, { sessionId: deleted.id, endedAt })
    return { sessionId: deleted.id, became: [session] }
  })
}

export function useKeepSession() {
  return useSessionChange(async (session: FocusSession) => {
    await api(keepSession, { sessionId: session.id })
    return { sessionId: session.id, became: [session] }
  })
}

interface Outcome {
  sessionId: string
  became: EndedSession[]
}

/** Puts the result into the cache, then refetches. A failure refetches too: another device may have changed the session. */
function useSessionChange<Input>(change: (input: Input) => Promise<Outcome>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (outcome) => putIntoCache(queryClient, outcome),
    onSettled: () => refetchFocusQueries(queryClient),
  })
}

/** Adds a session to the cache, replaces it by its corrected self, or removes it. It is no longer a forgotten session. */
function putIntoCache(queryClient: QueryClient, { sessionId, became }: Outcome): void {
  queryClient.setQueriesData<SessionsRead>(
    FOCUS_QUERIES,
    (read) =>
      read && {
        ...read,
        forgottenSession: read.forgottenSession?.id === sessionId ? null : read.forgottenSession,
        ...(read.sessions && {
          sessions: [...read.sessions.filter(({ id }) => id !== sessionId), ...became].sort(newestFirst),
        }),
      },
  )
}

/** The order of the server. All instants are UTC and have the same length. */
function newestFirst(a: FocusSession, b: FocusSession): number {
  return `${b.startedAt} ${b.id}`.localeCompare(`${a.startedAt} ${a.id}`)
}
