import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Instant, Int, maxCharacters, Uuid } from '../formats.ts'
import { UTC_OFFSET } from './device-zone.ts'
import { MAX_TARGET_MINUTES, MIN_TARGET_MINUTES } from './target.ts'

/** The time zone of a device. A server that does not know the name, such as a new one, goes by the offset at the instant of the call. */
export const DeviceZone = {
  timeZone: v.pipe(v.string(), maxCharacters(64)),
  utcOffset: v.optional(v.pipe(v.string(), v.regex(UTC_OFFSET))),
}

/**
 * The id of a focus session. The client makes it as a UUIDv7, which is the idempotency key of a start. The server makes
 * UUIDv4 itself, so any UUID is valid. Lower case, since ids are compared as text.
 */
export const SessionId = v.pipe(Uuid, v.toLowerCase())

/** How long a focus session is meant to be. */
export const TargetMinutes = v.pipe(Int, v.minValue(MIN_TARGET_MINUTES), v.maxValue(MAX_TARGET_MINUTES))

export const FocusSession = v.object({
  id: Uuid,
  startedAt: Instant,
  /** Null while the session is open. */
  endedAt: v.nullable(Instant),
  /** The target of an open session. Absent without one, and once the session has ended. */
  targetMinutes: v.optional(TargetMinutes),
})
export type FocusSession = v.InferOutput<typeof FocusSession>

/** The state of deeb mode, which is part of the response for every screen. */
export const FocusState = v.object({
  openSession: v.nullable(FocusSession),
  /** The oldest session that was ended at 16 hours and that the person has not kept, corrected or discarded yet. */
  forgottenSession: v.nullable(FocusSession),
  /** Increases with each change of the user, by 1 or more. A live event with a higher version is newer than this response. */
  version: Int,
  serverTime: Instant,
})
export type FocusState = v.InferOutput<typeof FocusState>

/** The times of a press and of its request, by the device's clock. Only the difference counts: `instantOf`. */
export const DeviceTimes = v.object({ actedAt: Instant, sentAt: Instant })
export type DeviceTimes = v.InferOutput<typeof DeviceTimes>

const SwitchOutput = v.object({ session: FocusSession, serverTime: Instant })

export const startFocus = endpoint({
  method: 'POST',
  path: '/api/focus/start',
  scopes: ['switch'],
  summary:
    'Switch deeb mode on, with an optional target for colleagues. Idempotent: the client creates the session id. If a session is open already, that one is the answer, with its own target. Starts now without `times`; `too_late` after 7 days, `ahead_of_time` from 2 minutes ahead, `too_many_sessions` after 300 on one local date, for personal access tokens after 200.',
  input: v.object({
    sessionId: SessionId,
    ...DeviceZone,
    times: v.optional(DeviceTimes),
    targetMinutes: v.optional(TargetMinutes),
  }),
  output: SwitchOutput,
})

export const stopFocus = endpoint({
  method: 'POST',
  path: '/api/focus/stop',
  scopes: ['switch'],
  summary: 'Switch deeb mode off by ending the session `sessionId`. Idempotent. `times` as for a start.',
  input: v.object({ sessionId: SessionId, times: v.optional(DeviceTimes) }),
  output: SwitchOutput,
})

export const setTarget = endpoint({
  method: 'PUT',
  path: '/api/focus/target',
  scopes: ['switch'],
  summary:
    'Set how long the open session `sessionId` is meant to be, from its start; null for no end. Idempotent. `session_not_found` if it is not open.',
  input: v.object({ sessionId: SessionId, targetMinutes: v.nullable(TargetMinutes) }),
  output: SwitchOutput,
})

/** Limit of queued switches per call. They fit into a request of 16 kB, even with the longest time zone names. */
export const MAX_CHANGES_PER_CALL = 60

const QueuedChange = v.variant('to', [
  v.object({
    to: v.literal('on'),
    sessionId: SessionId,
    ...DeviceZone,
    actedAt: Instant,
    targetMinutes: v.optional(TargetMinutes),
  }),
  v.object({ to: v.literal('off'), sessionId: SessionId, actedAt: Instant }),
  /** The client makes `pressId`, the idempotency key, as a UUIDv4: it has no time in it. */
  v.object({ to: v.picklist(['interrupted', 'undo']), sessionId: SessionId, pressId: Uuid, actedAt: Instant }),
])

export const replaySwitches = endpoint({
  method: 'POST',
  path: '/api/focus/switches',
  scopes: ['switch'],
  summary:
    'Replay offline switches in order. Atomic and idempotent. An on that is followed by any off adds only the time that no other session covers. `interrupted` counts once per `pressId`, unless `undo` names it too. `refused` lists what can never be applied.',
  input: v.object({
    sentAt: Instant,
    changes: v.pipe(v.array(QueuedChange), v.minLength(1), v.maxLength(MAX_CHANGES_PER_CALL)),
  }),
  output: v.object({
    openSession: v.nullable(FocusSession),
    refused: v.array(
      v.object({
        sessionId: Uuid,
        to: v.picklist(['on', 'off', 'interrupted', 'undo']),
        code: v.picklist(['too_late', 'ahead_of_time', 'invalid_time_zone', 'session_not_found', 'too_many_sessions']),
      }),
    ),
    serverTime: Instant,
  }),
})
