import * as v from 'valibot'
import type { FocusSession } from '../focus/api.ts'
import { targetEnd } from '../focus/target.ts'
import { Instant, Int } from '../formats.ts'
import { comeBackAt } from './come-back.ts'

/** Whether a person is in deeb mode, since when, and until when roughly. Connections receive it. */
export const Presence = v.object({
  inDeebMode: v.boolean(),
  /** The start of the open session; null while off. */
  since: v.nullable(Instant),
  /**
   * The time to come back: the end of the target, rounded to 5 minutes, while that is ahead; else null. During an upgrade, an older
   * server does not send it.
   */
  until: v.optional(v.nullable(Instant)),
  /** Ignored. Web clients before 0.2.0 take the highest for the newest: it is the time of the answer, in ms. */
  version: v.optional(Int),
})
export type Presence = v.InferOutput<typeof Presence>

/** The presence of a person with this open focus session. A target that is reached is not in it: nobody is shown as late. */
export function presenceOf(openSession: Pick<FocusSession, 'startedAt' | 'targetMinutes'> | null, now: Date): Presence {
  const end = openSession && targetEnd(openSession)
  const until = end && comeBackAt({ until: end.toISOString() }, now)
  return {
    inDeebMode: openSession !== null,
    since: openSession?.startedAt ?? null,
    until: until?.toISOString() ?? null,
    version: now.getTime(),
  }
}
