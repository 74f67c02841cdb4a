import { usernameKey } from '@deeb/core/account/username'
import type { Connection } from '@deeb/core/team/api'
import { searchWords } from '@deeb/core/team/search-words'

/** The connections whose name, username and address together contain every typed word, case-insensitive. */
export function matching(connections: readonly Connection[], query: string): Connection[] {
  const words = searchWords(query)
  return connections.filter(({ person }) => {
    const text = usernameKey([person.firstName, person.lastName, person.username, person.email].join(' '))
    return words.every(({ key }) => text.includes(key))
  })
}
