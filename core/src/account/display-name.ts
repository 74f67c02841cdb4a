/**
 * A person's name where the address tells it: `ann.meyer@`, `ann_meyer@` and `ann-meyer@` are Ann Meyer. Null for both
 * unless the local part is exactly two alphabetic parts; a guess at anything else would greet people by a wrong name.
 */
export function namesFromEmail(email: string): { firstName: string | null; lastName: string | null } {
  const [, first, last] = /^([a-z]+)[._-]([a-z]+)@/i.exec(email) ?? []
  if (first === undefined || last === undefined) return { firstName: null, lastName: null }
  return { firstName: capitalized(first), lastName: capitalized(last) }
}

/** What colleagues see: first and last name, else the username, else the local part of the address. Never empty. */
export function shownName(person: {
  firstName: string | null
  lastName: string | null
  username: string | null
  email: string
}): string {
  if (person.firstName !== null && person.lastName !== null) return `${person.firstName} ${person.lastName}`
  return person.username ?? person.email.slice(0, person.email.lastIndexOf('@'))
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
}
