import * as z from 'zod/mini'
import { type FocusSession, Instant } from '../focus/api.ts'

/** Whether somebody is in deeb mode, and since when; never what for. */
export const Presence = z.object({
  inDeebMode: z.boolean(),
  /** The start of the open session; null while off. */
  since: z.nullable(Instant),
  /** Grows with each change of this person's presence. Reads and live events overtake each other: the highest is true. */
  version: z.int(),
})
export type Presence = z.output<typeof Presence>

/** Of two states of one person, whichever way they came, the one that is true. */
export function newerPresence<P extends { version: number }>(one: P, other: P): P {
  return other.version > one.version ? other : one
}

/** What a person with this open session looks like to others. */
export function presenceOf(openSession: Pick<FocusSession, 'startedAt'> | null, version: number): Presence {
  return { inDeebMode: openSession !== null, since: openSession?.startedAt ?? null, version }
}
