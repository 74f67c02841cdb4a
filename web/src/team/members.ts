import { shownName } from '@deeb/core/account/display-name'
import { usernameKey } from '@deeb/core/account/username'
import type { Presence } from '@deeb/core/presence/presence'
import type { Connection } from '@deeb/core/team/api'
import type { Person } from '@deeb/core/team/connection'
import { LANGUAGE } from '../device/language.ts'
import type { ShownTeam } from './team-cache.ts'

/** Somebody whose deeb mode the user sees, by a connection, through circles, or both. */
export interface Member {
  person: Person
  /** Null while it is not known. */
  presence: Presence | null
  /** The circles in which the two see each other. */
  circleIds: string[]
  /** Undefined for somebody seen through circles only. */
  connection?: Connection
}

export type TeamCircle = NonNullable<ShownTeam['circles']>[number]

/** Everybody whom the user sees, once each, by name. */
export function membersOf({
  connections,
  throughCircles = [],
  asOf,
}: Pick<ShownTeam, 'connections' | 'throughCircles' | 'asOf'>): Member[] {
  const connected = connections.map((connection) => ({
    ...connection,
    circleIds: connection.circleIds ?? [],
    connection,
  }))
  const members: Member[] = throughCircles.length === 0 ? connected : [...connected, ...throughCircles].sort(byName)
  return asOf === null ? members : members.map((member) => ({ ...member, presence: null }))
}

/** The order of the server: first name, last name, username, address. */
function byName({ person: one }: Member, { person: other }: Member): number {
  for (const field of ['firstName', 'lastName', 'username', 'email'] as const) {
    const [a, b] = [one[field], other[field]]
    if (a === null && b === null) continue
    if (a === null || b === null) return a === null ? 1 : -1
    const [keyA, keyB] = [usernameKey(a), usernameKey(b)]
    if (keyA !== keyB) return keyA < keyB ? -1 : 1
  }
  return 0
}

/** The names of the circles with these ids. */
export function namesOf(circles: readonly TeamCircle[], ids: readonly string[]): string[] {
  return circles.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
}

/** American English has a comma before `and`. */
const LIST_LOCALE = LANGUAGE === 'en' ? 'en-GB' : LANGUAGE

/** `Backend`, `Backend and Choir`, `Backend, Choir and Design`. */
export function listText(names: readonly string[]): string {
  return new Intl.ListFormat(LIST_LOCALE).format(names)
}

/** The first name of a person, or the name that is shown. */
export function shortName(person: Person): string {
  return person.firstName ?? shownName(person)
}

/** Short names of people who are seen together. Two of one first name have the first letter of their last names too. */
export function shortNames(members: readonly Member[]): ReadonlyMap<Member, string> {
  const names = members.map(({ person }) => shortName(person))
  return new Map(
    members.map((member, at) => {
      const name = names[at] ?? ''
      const { firstName, lastName } = member.person
      const isShared = firstName !== null && lastName !== null && names.indexOf(name) !== names.lastIndexOf(name)
      return [member, isShared ? `${name} ${[...lastName][0]}.` : name]
    }),
  )
}
