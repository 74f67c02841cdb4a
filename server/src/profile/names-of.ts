import { namesFromEmail } from '@deeb/core/account/display-name'
import { usernameKey } from '@deeb/core/account/username'

/** The names in an address and their search keys; null if the address contains no name. */
export function namesOf(email: string) {
  const { firstName, lastName } = namesFromEmail(email)
  return { firstName, lastName, firstNameKey: keyOf(firstName), lastNameKey: keyOf(lastName) }
}

function keyOf(name: string | null): string | null {
  return name === null ? null : usernameKey(name)
}
