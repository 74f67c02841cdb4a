import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

export const Instant = z.iso.datetime({ precision: 3 })

export const TimeZone = z.string().check(z.maxLength(64))

/**
 * Made by the client as a UUIDv7, so that a call may be repeated. Any other UUID is taken too: the server itself gives out
 * UUIDv4. In lower case, as the database writes it, since ids are compared as text.
 */
export const SessionId = z.uuid().check(z.toLowerCase())

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
  /** Of the own presence, to be held against live events: what they say of a higher one is not in this read yet. */
  version: z.int(),
  serverTime: Instant,
})
export type FocusState = z.output<typeof FocusState>

/** When a device did something and when it says so, both by its own clock: only the difference is believed. */
const DeviceTimes = z.object({ actedAt: Instant, sentAt: Instant })
export type DeviceTimes = z.output<typeof DeviceTimes>

const SwitchAnswer = z.object({ session: FocusSession, serverTime: Instant })

export const startFocus = endpoint({
  method: 'POST',
  path: '/api/focus/start',
  summary:
    'Switch deeb mode on. Idempotent: the client creates the session id. If a session is open already, that one is the answer. Starts now without `times`; `too_late` after 7 days, `ahead_of_time` from 2 minutes ahead, `too_many_sessions` after 300 on one local date.',
  input: z.object({ sessionId: SessionId, timeZone: TimeZone, times: z.optional(DeviceTimes) }),
  output: SwitchAnswer,
})

export const stopFocus = endpoint({
  method: 'POST',
  path: '/api/focus/stop',
  summary: 'Switch deeb mode off by ending the session `sessionId`. Idempotent. `times` as for a start.',
  input: z.object({ sessionId: SessionId, times: z.optional(DeviceTimes) }),
  output: SwitchAnswer,
})

/** As many changes as one call takes: what fits into the 16 kB of a request, however long the names of zones. */
export const MAX_CHANGES_PER_CALL = 60

const LateChange = z.discriminatedUnion('to', [
  z.object({ to: z.literal('on'), sessionId: SessionId, timeZone: TimeZone, actedAt: Instant }),
  z.object({ to: z.literal('off'), sessionId: SessionId, actedAt: Instant }),
])

export const replaySwitches = endpoint({
  method: 'POST',
  path: '/api/focus/switches',
  summary:
    'Replay offline switches in order. Atomic and idempotent. An on that is followed by any off adds only the time that no other session covers. `refused` lists changes that can never be applied.',
  input: z.object({
    sentAt: Instant,
    changes: z.array(LateChange).check(z.minLength(1), z.maxLength(MAX_CHANGES_PER_CALL)),
  }),
  output: z.object({
    openSession: z.nullable(FocusSession),
    refused: z.array(
      z.object({
        sessionId: z.uuid(),
        to: z.enum(['on', 'off']),
        code: z.enum(['too_late', 'ahead_of_time', 'invalid_time_zone', 'session_not_found', 'too_many_sessions']),
      }),
    ),
    serverTime: Instant,
  }),
})
