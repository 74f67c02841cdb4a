import * as z from 'zod/mini'
import { type FocusSession, Instant } from '../focus/api.ts'

/** Whether a person is in deeb mode, and since when. Connections receive it. */
export const Presence = z.object({
  inDeebMode: z.boolean(),
  /** The start of the open session; null while off. */
  since: z.nullable(Instant),
  /** Increases with each change. Responses and live events can arrive out of order: the highest version is the newest. */
  version: z.int(),
})
export type Presence = z.output<typeof Presence>

/** The newer of two states of one person, by version. */
export function newerPresence<P extends { version: number }>(one: P, other: P): P {
  return other.version > one.version ? other : one
}

/** The presence of a person with this open focus session. */
export function presenceOf(openSession: Pick<FocusSession, 'startedAt'> | null, version: number): Presence {
  return { inDeebMode: openSession !== null, since: openSession?.startedAt ?? null, version }
}
