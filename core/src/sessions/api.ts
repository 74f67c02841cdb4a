import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { DeviceTimes, DeviceZone, FocusSession, SessionId } from '../focus/api.ts'
import { MAX_INTERRUPTIONS } from '../focus/session.ts'
import { Instant, Int } from '../formats.ts'
import { EndedSession } from './read-api.ts'

const OneSession = v.object({ sessionId: SessionId })

export const addSession = endpoint({
  method: 'POST',
  path: '/api/sessions',
  summary:
    'Add a session of the last 7 days that was missed. Idempotent: the client creates the session id. `session_overlaps` if another session covers that time; `too_many_sessions` after 300 on one local date.',
  input: v.object({ ...OneSession.entries, startedAt: Instant, endedAt: Instant, ...DeviceZone }),
  output: v.object({ session: FocusSession }),
})

export const correctSession = endpoint({
  method: 'PUT',
  path: '/api/sessions',
  summary:
    'Correct the start, the end or the number of interruptions of a session of the last 7 days, or of a forgotten one. An omitted field keeps its value. `session_overlaps` if another session covers that time.',
  input: v.object({
    ...OneSession.entries,
    startedAt: v.optional(Instant),
    endedAt: v.optional(Instant),
    interruptions: v.optional(v.pipe(Int, v.minValue(0), v.maxValue(MAX_INTERRUPTIONS))),
  }),
  output: v.object({ session: EndedSession }),
})

export const discardSession = endpoint({
  method: 'POST',
  path: '/api/sessions/discard',
  summary: 'Delete a session of the last 7 days, or a forgotten one, and subtract its time.',
  input: OneSession,
  output: v.object({ discarded: v.literal(true) }),
})

export const restoreSession = endpoint({
  method: 'POST',
  path: '/api/sessions/restore',
  summary:
    'Restore a deleted session of the last 7 days with the end that it had. Idempotent. `session_overlaps` if another session covers that time already.',
  input: v.object({ ...OneSession.entries, endedAt: Instant }),
  output: v.object({ session: EndedSession }),
})

export const keepSession = endpoint({
  method: 'POST',
  path: '/api/sessions/keep',
  summary: 'Keep a forgotten session with the end that the server gave it.',
  input: OneSession,
  output: v.object({ kept: v.literal(true) }),
})

/** Why a client asks "Still in deeb mode?": see `stillOnCause`. */
export const StillOnCause = v.picklist(['untouched', 'usual_end'])
export type StillOnCause = v.InferOutput<typeof StillOnCause>

export const readLikelyEnd = endpoint({
  method: 'GET',
  path: '/api/sessions/likely-end',
  summary: 'Read what tells when the open session, or a forgotten one, probably ended.',
  input: OneSession,
  output: v.object({
    /** The last touch of any device of the caller, known to about 15 minutes. Null if there was none since the start. */
    lastTouchAt: v.nullable(Instant),
    /** The time at which the day of the session usually ends. Null without 5 days with sessions in the 4 weeks before. */
    usualEndAt: v.nullable(Instant),
    /** The causes for which the caller has said that they are still on. */
    answers: v.array(StillOnCause),
  }),
})

export const touchSession = endpoint({
  method: 'POST',
  path: '/api/sessions/touch',
  summary:
    'Report that a device was touched while the session is open, and which questions "Still in deeb mode?" were answered. Idempotent. `times` as for a start.',
  input: v.object({
    ...OneSession.entries,
    times: DeviceTimes,
    answers: v.pipe(v.array(StillOnCause), v.maxLength(2)),
  }),
  output: v.object({ touched: v.literal(true) }),
})
