import * as z from 'zod/mini'
import type { Presence } from '../presence/presence.ts'

/** The fields of a person that colleagues can see. */
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

/** Moves connections in deeb mode to the front. The sort is stable. */
export function inDeebModeFirst<C extends { presence: Presence }>(connections: readonly C[]): C[] {
  return [
    ...connections.filter(({ presence }) => presence.inDeebMode),
    ...connections.filter(({ presence }) => !presence.inDeebMode),
  ]
}
