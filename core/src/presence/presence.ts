import * as z from 'zod/mini'
import { type FocusSession, Instant } from '../focus/api.ts'
import { targetEnd } from '../focus/target.ts'
import { comeBackAt } from './come-back.ts'

/** Whether a person is in deeb mode, since when, and until when roughly. Connections receive it. */
export const Presence = z.object({
  inDeebMode: z.boolean(),
  /** The start of the open session; null while off. */
  since: z.nullable(Instant),
  /**
   * The time to come back: the end of the target, rounded to 5 minutes, while that is ahead; else null. During an upgrade, an older
   * server does not send it.
   */
  until: z.optional(z.nullable(Instant)),
  /** Ignored. Web clients before 0.2.0 take the highest for the newest: it is the time of the answer, in ms. */
  version: z.optional(z.int()),
})
export type Presence = z.output<typeof Presence>

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
