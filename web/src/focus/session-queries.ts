import {
  correctSession,
  discardSession,
  type FocusSession,
  type FocusState,
  keepSession,
  readSessions,
} from '@deeb/core/focus/api'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { FOCUS_READS, readAgain } from './focus-reads.ts'

type SessionsRead = FocusState & { sessions?: FocusSession[] }

/** The own sessions of the last 7 days. */
export function useSessions() {
  return useQuery({ queryKey: [readSessions.path], queryFn: () => api(readSessions, {}) })
}

/** The times of a session that has ended. */
export function toEnded({ startedAt, endedAt }: FocusSession): { startedAt: Date; endedAt: Date } {
  return { startedAt: new Date(startedAt), endedAt: new Date(endedAt ?? startedAt) }
}

/** A session with other times; what is left out stays as it is. */
interface Correction {
  session: FocusSession
  startedAt?: Date
  endedAt?: Date
}

export function useCorrectSession() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ session, startedAt, endedAt }: Correction) =>
      api(correctSession, {
        sessionId: session.id,
        ...(startedAt && { startedAt: startedAt.toISOString() }),
        ...(endedAt && { endedAt: endedAt.toISOString() }),
      }),
    onSuccess: ({ session }) => show(queries, session.id, [session]),
    onSettled: () => readAgain(queries),
  })
}

export function useDiscardSession() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (session: FocusSession) => api(discardSession, { sessionId: session.id }),
    onSuccess: (_answer, { id }) => show(queries, id, []),
    onSettled: () => readAgain(queries),
  })
}

export function useKeepSession() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (session: FocusSession) => api(keepSession, { sessionId: session.id }),
    onSuccess: (_answer, session) => show(queries, session.id, [session]),
    onSettled: () => readAgain(queries),
  })
}

/** Shows at once what became of a session, by its other times or by nothing. It is no forgotten one any more. */
function show(queries: QueryClient, sessionId: string, became: FocusSession[]): void {
  queries.setQueriesData<SessionsRead>(
    FOCUS_READS,
    (read) =>
      read && {
        ...read,
        forgottenSession: read.forgottenSession?.id === sessionId ? null : read.forgottenSession,
        ...(read.sessions && {
          sessions: read.sessions.flatMap((session) => (session.id === sessionId ? became : [session])),
        }),
      },
  )
}
