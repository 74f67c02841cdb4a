import { usernameKey } from '@deeb/core/account/username'
import type { Person } from '@deeb/core/team/connection'
import { searchWords } from '@deeb/core/team/search-words'

/**
 * The members whose name, username and address together contain every typed word, case-insensitive. The domain counts only
 * for words with an @: it is the same for all colleagues, so short words of it would filter nothing.
 */
export function matching<M extends { person: Person }>(members: readonly M[], query: string): M[] {
  const words = searchWords(query)
  return members.filter(({ person: { firstName, lastName, username, email } }) => {
    const address = usernameKey(email)
    const text = usernameKey([firstName, lastName, username, email.slice(0, email.lastIndexOf('@'))].join(' '))
    return words.every(({ key }) => (key.includes('@') ? address : text).includes(key))
  })
}
