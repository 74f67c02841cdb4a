import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { FocusSession, FocusState, Instant, SessionId } from '../focus/api.ts'

const OneSession = z.object({ sessionId: SessionId })

export const readSessions = endpoint({
  method: 'GET',
  path: '/api/sessions',
  summary: 'The own sessions that ended within the last 7 days, the newest first.',
  input: z.object({}),
  output: z.extend(FocusState, { sessions: z.array(FocusSession) }),
})

export const correctSession = endpoint({
  method: 'PUT',
  path: '/api/sessions',
  summary:
    'Correct the start or the end of an own session of the last 7 days, or of a forgotten one. What is left out stays. `session_overlaps` if another session lies there.',
  input: z.extend(OneSession, { startedAt: z.optional(Instant), endedAt: z.optional(Instant) }),
  output: z.object({ session: FocusSession }),
})

export const discardSession = endpoint({
  method: 'POST',
  path: '/api/sessions/discard',
  summary: 'Delete an own session of the last 7 days, or a forgotten one, with the time it gave.',
  input: OneSession,
  output: z.object({ discarded: z.literal(true) }),
})

export const keepSession = endpoint({
  method: 'POST',
  path: '/api/sessions/keep',
  summary: 'Keep a forgotten session as it was ended.',
  input: OneSession,
  output: z.object({ kept: z.literal(true) }),
})
