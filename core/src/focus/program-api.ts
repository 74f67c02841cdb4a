import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Instant, Int } from '../formats.ts'
import { DeviceZone, FocusSession } from './api.ts'

const FocusNow = v.object({ openSession: v.nullable(FocusSession), version: Int, serverTime: Instant })

export const readFocus = endpoint({
  method: 'GET',
  path: '/api/focus',
  scopes: ['switch', 'read'],
  summary: 'Read whether the caller is in deeb mode.',
  input: v.object({}),
  output: FocusNow,
})

/** The highest `forMinutes`. */
const MAX_FOR_MINUTES = 720

export const switchFocus = endpoint({
  method: 'PUT',
  path: '/api/focus',
  scopes: ['switch'],
  summary:
    'Switch deeb mode on, off or, with `toggle`, to the other state, for programs without a memory. Idempotent; `toggle` within 2 seconds of the last switch. `forMinutes` is the target, from now, at least 5 minutes and at most 8 hours in all; without it a running session keeps its own. The time zone is `timeZone`, else that of the last session, else `invalid_time_zone`. `too_many_sessions` as for a start.',
  input: v.object({
    on: v.union([v.boolean(), v.literal('toggle')]),
    forMinutes: v.optional(v.pipe(Int, v.minValue(1), v.maxValue(MAX_FOR_MINUTES))),
    timeZone: v.optional(DeviceZone.timeZone),
    utcOffset: DeviceZone.utcOffset,
  }),
  output: FocusNow,
})
