import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Uuid } from '../formats.ts'
import { AgreedTimes } from './quiet-times.ts'

const Id = v.pipe(Uuid, v.toLowerCase())

export const setQuietTimes = endpoint({
  method: 'POST',
  path: '/api/circles/quiet-times',
  summary:
    'Replace the quiet times of a circle that the caller keeps. `invalid_time_zone`; `not_found` for any other circle; `circles_off`.',
  input: v.object({ circleId: Id, ...AgreedTimes.entries }),
  output: v.object({ times: AgreedTimes.entries.times }),
})

/** How a member takes part in the quiet times of a circle. Nobody else can read it. */
export const TakingPart = v.object({
  takesPart: v.boolean(),
  /** Whether their browsers show a notification when one begins. */
  notifies: v.boolean(),
  /** Whether a device that was touched in the last minutes switches deeb mode on when one begins. */
  switchesOn: v.boolean(),
})
export type TakingPart = v.InferOutput<typeof TakingPart>

/** The quiet times of a circle, and how the caller takes part. */
export const OwnQuietTimes = v.object({
  /** Null without quiet times. */
  timeZone: v.nullable(v.string()),
  /** Sorted by their start. */
  times: AgreedTimes.entries.times,
  ...TakingPart.entries,
  /** Whether the caller leaves them out this week. */
  skips: v.boolean(),
})
export type OwnQuietTimes = v.InferOutput<typeof OwnQuietTimes>

export const takePart = endpoint({
  method: 'POST',
  path: '/api/circles/quiet-times/own',
  summary:
    'Set how the caller takes part in the quiet times of a circle; what is left out stays. Idempotent. `switchesOn: true` needs the times that the caller has seen: `quiet_times_changed` if the circle has others now. `not_found` for a circle of others; `circles_off`.',
  input: v.object({
    circleId: Id,
    takesPart: v.optional(v.boolean()),
    notifies: v.optional(v.boolean()),
    switchesOn: v.optional(v.boolean()),
    agreedTo: v.optional(AgreedTimes),
  }),
  output: TakingPart,
})

export const skipWeek = endpoint({
  method: 'POST',
  path: '/api/circles/quiet-times/skip',
  summary:
    'Leave the quiet times of a circle out for the caller until the next Monday, or not any more. Idempotent. `not_found` for a circle of others; `circles_off`.',
  input: v.object({ circleId: Id, skips: v.boolean() }),
  output: v.object({ skips: v.boolean() }),
})
