import { namesFromEmail } from '@deeb/core/account/display-name'
import { usernameKey } from '@deeb/core/account/username'

export interface Names {
  firstName: string | null
  lastName: string | null
}

/** The names in an address and their search keys; null if the address contains no name. */
export function namesOf(email: string) {
  return withKeys(namesFromEmail(email))
}

/** Adds the search keys of names. */
export function withKeys({ firstName, lastName }: Names) {
  return { firstName, lastName, firstNameKey: keyOf(firstName), lastNameKey: keyOf(lastName) }
}

function keyOf(name: string | null): string | null {
  return name === null ? null : usernameKey(name)
}
