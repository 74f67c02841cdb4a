import { shownName } from '@deeb/core/account/display-name'
import type { Connection } from '@deeb/core/team/api'

/** The connections whose name or address has the typed text in it, in whatever letter case. */
export function matching(connections: readonly Connection[], query: string): Connection[] {
  const wanted = query.toLowerCase()
  return connections.filter(({ person }) =>
    [shownName(person), person.email].some((text) => text.toLowerCase().includes(wanted)),
  )
}
