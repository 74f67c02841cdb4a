import type { FocusSession, FocusState } from '@deeb/core/focus/api'
import { correctSession, discardSession, keepSession, readSessions } from '@deeb/core/sessions/api'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { AS_LONG_AS_OPEN, FOCUS_READS, readAgain, useFocusRead } from '../focus/focus-reads.ts'

type SessionsRead = FocusState & { sessions?: FocusSession[] }

/** The own sessions of the last 7 days. */
export function useSessions() {
  return useFocusRead({
    queryKey: [readSessions.path],
    queryFn: () => api(readSessions, {}),
    gcTime: AS_LONG_AS_OPEN,
  })
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
  return useSessionChange(async ({ session, startedAt, endedAt }: Correction) => {
    const corrected = await api(correctSession, {
      sessionId: session.id,
      ...(startedAt && { startedAt: startedAt.toISOString() }),
      ...(endedAt && { endedAt: endedAt.toISOString() }),
    })
    return { sessionId: session.id, became: [corrected.session] }
  })
}

export function useDiscardSession() {
  return useSessionChange(async ({ id }: FocusSession) => {
    await api(discardSession, { sessionId: id })
    return { sessionId: id, became: [] }
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
  became: FocusSession[]
}

/** A change of what was: shown at once, then read again, as it is when it was refused. */
function useSessionChange<Input>(change: (input: Input) => Promise<Outcome>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (outcome) => show(queries, outcome),
    onSettled: () => readAgain(queries),
  })
}

/** Shows at once what became of a session, by its other times or by nothing. It is no forgotten one any more. */
function show(queries: QueryClient, { sessionId, became }: Outcome): void {
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
