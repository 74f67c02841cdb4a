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
