import { USER_SCHEMA } from './schemas.ts'
import { badRequest } from './scim-error.ts'
import { booleanOf } from './values.ts'

/** The columns that a filter compares, and how. `?` is the name of the parameter. */
export const COMPARISONS = {
  userName: 'user_name_key = lower(?::text)',
  externalId: 'external_id = ?::text',
  id: 'id::text = lower(?::text)',
  active: 'active = ?::boolean',
  email: 'email = lower(?::text)',
} as const

export type FilterColumn = keyof typeof COMPARISONS

/** A column and the value that it must have. A conjunction is a list of them, one per column. */
export type Filter = Partial<Record<FilterColumn, string | boolean>>

const COLUMN_OF: ReadonlyMap<string, FilterColumn> = new Map([
  ['username', 'userName'],
  ['externalid', 'externalId'],
  ['id', 'id'],
  ['active', 'active'],
  ['emails', 'email'],
  ['emails.value', 'email'],
  ['emails[work]', 'email'],
  ['emails[work].value', 'email'],
] as const)

const ATTRIBUTE = /(?:urn:[\w.:-]+:)?[a-z$][\w$-]*(?:\[(?:[^"[\]]|"(?:[^"\\]|\\.)*")+\])?(?:\.[a-z$][\w$-]*)?/iy
const EQUALS = /\s+eq\s+/iy
const QUOTED = /"(?:[^"\\]|\\.)*"/y
const BARE = /[^\s"()[\]]+/y
const AND = /\s+and\s+/iy

/**
 * Parses `attribute eq value`, joined by `and`. Values are quoted or not, since Entra sends both. Null matches nobody: an attribute that
 * is not kept has no value. Throws `invalidFilter` for anything else.
 */
export function parseFilter(text: string): Filter | null {
  const filter: Filter = {}
  let matchesNobody = false
  let at = 0
  function take(token: RegExp): string | null {
    token.lastIndex = at
    const [match = null] = token.exec(text) ?? []
    if (match !== null) at = token.lastIndex
    return match
  }
  const trimmed = text.trimEnd()
  at = text.length - text.trimStart().length
  do {
    const attribute = take(ATTRIBUTE)
    if (attribute === null || take(EQUALS) === null) throw invalid()
    const column = columnOf(attribute)
    if (column && filter[column] !== undefined) throw invalid()
    const quoted = take(QUOTED)
    const value = quoted === null ? take(BARE) : unquoted(quoted)
    if (value === null) throw invalid()
    if (column) filter[column] = column === 'active' ? activeOf(value) : value
    else matchesNobody = true
  } while (take(AND) !== null)
  if (at < trimmed.length) throw invalid()
  return matchesNobody ? null : filter
}

function columnOf(attribute: string): FilterColumn | undefined {
  const prefix = `${USER_SCHEMA.toLowerCase()}:`
  const name = attribute.toLowerCase()
  const plain = name.startsWith(prefix) ? name.slice(prefix.length) : name
  return COLUMN_OF.get(plain.replace(/\[\s*type\s+eq\s+"?work"?\s*\]/, '[work]'))
}

function unquoted(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    // The database stores no NUL.
    if (typeof value === 'string' && !value.includes('\0')) return value
  } catch {
    // An unknown escape.
  }
  throw invalid()
}

function activeOf(text: string): boolean {
  try {
    return booleanOf(text)
  } catch {
    throw invalid()
  }
}

function invalid() {
  return badRequest(
    'invalidFilter',
    'A filter is `attribute eq "value"`, joined by `and`, of userName, externalId, id, active and emails.value.',
  )
}
