/**
 * First and last name from an address: `ann.meyer@`, `ann_meyer@` and `ann-meyer@` are Ann Meyer. Both are null unless the local
 * part is two alphabetic words, since a wrong name is worse than none.
 */
export function namesFromEmail(email: string): { firstName: string | null; lastName: string | null } {
  const [, first, last] = /^([a-z]+)[._-]([a-z]+)@/i.exec(email) ?? []
  if (first === undefined || last === undefined) return { firstName: null, lastName: null }
  return { firstName: capitalized(first), lastName: capitalized(last) }
}

/** The name that colleagues see: first and last name, else the username, else the local part of the address. Never empty. */
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
