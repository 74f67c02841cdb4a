import { correctSession, discardSession, type FocusSession, keepSession, readSessions } from '@deeb/core/focus/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { FOCUS_READS } from './focus-reads.ts'

/** The own sessions of the last 7 days. */
export function useSessions() {
  return useQuery({ queryKey: [readSessions.path], queryFn: () => api(readSessions, {}) })
}

/** A session that has ended, with its times as dates. */
export interface EndedSession {
  session: FocusSession
  startedAt: Date
  endedAt: Date
}

export function ended(session: FocusSession): EndedSession {
  const { startedAt, endedAt } = session
  return { session, startedAt: new Date(startedAt), endedAt: new Date(endedAt ?? startedAt) }
}

/** A session with other times; what is left out stays as it is. */
export interface Correction {
  session: FocusSession
  startedAt?: Date
  endedAt?: Date
}

export function useCorrectSession() {
  return useSessionChange(({ session, startedAt, endedAt }: Correction) =>
    api(correctSession, {
      sessionId: session.id,
      ...(startedAt && { startedAt: startedAt.toISOString() }),
      ...(endedAt && { endedAt: endedAt.toISOString() }),
    }),
  )
}

export function useDiscardSession() {
  return useSessionChange((session: FocusSession) => api(discardSession, { sessionId: session.id }))
}

export function useKeepSession() {
  return useSessionChange((session: FocusSession) => api(keepSession, { sessionId: session.id }))
}

/** A change of what was: every screen's numbers follow. Done only when they have, so nothing old is shown meanwhile. */
function useSessionChange<Input>(change: (input: Input) => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: change, onSettled: () => queries.invalidateQueries(FOCUS_READS) })
}
