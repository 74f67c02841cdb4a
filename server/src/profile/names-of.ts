import { namesFromEmail } from '@deeb/core/account/display-name'
import { usernameKey } from '@deeb/core/account/username'

/** The names that an address tells, and what a search finds them by: first, last and their keys; null where it tells none. */
export function namesOf(email: string): (string | null)[] {
  const { firstName, lastName } = namesFromEmail(email)
  const keys = [firstName, lastName].map((name) => (name === null ? null : usernameKey(name)))
  return [firstName, lastName, ...keys]
}
