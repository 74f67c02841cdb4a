import * as v from 'valibot'
import { Uuid } from '../formats.ts'
import type { Presence } from '../presence/presence.ts'

/** The fields of a person that colleagues can see. */
export const Person = v.object({
  id: Uuid,
  username: v.nullable(v.string()),
  firstName: v.nullable(v.string()),
  lastName: v.nullable(v.string()),
  email: v.string(),
})
export type Person = v.InferOutput<typeof Person>

export const ConnectionStatus = v.picklist(['pending', 'accepted', 'declined'])
export type ConnectionStatus = v.InferOutput<typeof ConnectionStatus>

/** Moves connections in deeb mode to the front. The sort is stable. */
export function inDeebModeFirst<C extends { presence: Presence | null }>(connections: readonly C[]): C[] {
  return [
    ...connections.filter(({ presence }) => presence?.inDeebMode),
    ...connections.filter(({ presence }) => !presence?.inDeebMode),
  ]
}
