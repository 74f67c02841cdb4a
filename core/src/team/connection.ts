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

/** What colleagues see of a person. */
export const Person = z.object({
  id: z.uuid(),
  username: z.nullable(z.string()),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  email: z.string(),
})
export type Person = z.output<typeof Person>

export const ConnectionStatus = z.enum(['pending', 'accepted', 'declined'])
export type ConnectionStatus = z.output<typeof ConnectionStatus>

/** Of two states of one person, whichever way they came, the one that is true. */
export function newerPresence<P extends { version: number }>(one: P, other: P): P {
  return other.version > one.version ? other : one
}

/** What a person with this open session looks like to others. */
export function presenceOf(openSession: Pick<FocusSession, 'startedAt'> | null, version: number): Presence {
  return { inDeebMode: openSession !== null, since: openSession?.startedAt ?? null, version }
}

/** Who is in deeb mode comes first; otherwise the order stays. */
export function inDeebModeFirst<C extends { presence: Presence }>(connections: readonly C[]): C[] {
  return [
    ...connections.filter(({ presence }) => presence.inDeebMode),
    ...connections.filter(({ presence }) => !presence.inDeebMode),
  ]
}
