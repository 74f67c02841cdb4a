import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

export const Instant = z.iso.datetime({ precision: 3 })

export const FocusSession = z.object({
  id: z.uuid(),
  startedAt: Instant,
  /** Null while the session is open. */
  endedAt: z.nullable(Instant),
})
export type FocusSession = z.output<typeof FocusSession>

/** What every screen's read tells of deeb mode. */
export const FocusState = z.object({
  openSession: z.nullable(FocusSession),
  /** The oldest one that was ended after 16 hours and not answered for yet. */
  forgottenSession: z.nullable(FocusSession),
  serverTime: Instant,
})
export type FocusState = z.output<typeof FocusState>

const SwitchAnswer = z.object({ session: FocusSession, serverTime: Instant })

export const startFocus = endpoint({
  method: 'POST',
  path: '/api/focus/start',
  summary:
    'Switch deeb mode on. The client makes the session id, so the call may be repeated; if a session is open already, that one is the answer.',
  input: z.object({ sessionId: z.uuidv7(), timeZone: z.string().check(z.maxLength(64)) }),
  output: SwitchAnswer,
})

export const stopFocus = endpoint({
  method: 'POST',
  path: '/api/focus/stop',
  summary: 'Switch deeb mode off. Ends the named session, which may have ended already.',
  input: z.object({ sessionId: z.uuidv7() }),
  output: SwitchAnswer,
})

const SessionId = z.object({ sessionId: z.uuid() })

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
  input: z.extend(SessionId, { startedAt: z.optional(Instant), endedAt: z.optional(Instant) }),
  output: z.object({ session: FocusSession }),
})

export const discardSession = endpoint({
  method: 'POST',
  path: '/api/sessions/discard',
  summary: 'Delete an own session of the last 7 days, or a forgotten one, with the time it gave.',
  input: SessionId,
  output: z.object({ discarded: z.literal(true) }),
})

export const keepSession = endpoint({
  method: 'POST',
  path: '/api/sessions/keep',
  summary: 'Keep a forgotten session as it was ended.',
  input: SessionId,
  output: z.object({ kept: z.literal(true) }),
})
