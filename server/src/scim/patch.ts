import { LIMITS } from '../limits/limits-table.ts'
import { ENTERPRISE, type Path, parsePath } from './path.ts'
import { badRequest } from './scim-error.ts'
import {
  booleanOf,
  chosenEmail,
  emailOf,
  emailsOf,
  type IsOwn,
  isObject,
  type Json,
  member,
  shownTextOf,
  type TextColumn,
  textOf,
  type UserValues,
  userNameOf,
} from './values.ts'

const MAX_OPERATIONS = LIMITS.scimOperations.max

const OPS = ['add', 'replace', 'remove'] as const

interface Change {
  op: (typeof OPS)[number]
  path: Path
  value: Json
}

/** The attributes that are plain text, by their path. */
const TEXTS: ReadonlyMap<string, TextColumn> = new Map([
  ['externalid', 'externalId'],
  ['displayname', 'displayName'],
  ['name.givenname', 'givenName'],
  ['name.familyname', 'familyName'],
  [`${ENTERPRISE}.department`, 'department'],
] as const)

/** The attributes whose value is an object of others. */
const COMPLEX = ['name', ENTERPRISE]

/** A condition of a selector of an address, such as `type eq "work"`, and what follows it. */
const CONDITION = /^(type|primary|value|display) eq (?:"([^"]*)"|([^ "]+))(?: and (?=.)|$)/

/**
 * Applies the operations of a PATCH. Unknown attributes are ignored: directories send all that they have. Throws `invalidSyntax`,
 * `invalidPath`, `invalidValue`, `noTarget` and `mutability`.
 */
export function applyPatch(id: string, before: UserValues, body: Json, isOwn: IsOwn): UserValues {
  const operations = isObject(body) ? member(body, 'operations') : undefined
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS) {
    throw badRequest('invalidSyntax', `Operations must be a list of 1 to ${MAX_OPERATIONS} operations.`)
  }
  return operations.flatMap(changesOf).reduce((values, change) => apply(id, values, change, isOwn), before)
}

function changesOf(operation: Json): Change[] {
  if (!isObject(operation)) throw badRequest('invalidSyntax', 'An operation must be an object.')
  const name = String(member(operation, 'op')).toLowerCase()
  const op = OPS.find((each) => each === name)
  if (!op) throw badRequest('invalidSyntax', 'op must be add, replace or remove.')
  const [path, value] = [member(operation, 'path'), member(operation, 'value')]
  if (typeof path === 'string' && path !== '') return within({ op, path: parsePath(path), value })
  if (path !== undefined && path !== null && path !== '') throw badRequest('invalidPath', 'path must be a text.')
  if (op === 'remove') throw badRequest('noTarget', 'A removal needs a path.')
  if (!isObject(value)) throw badRequest('invalidValue', 'Without a path, value must be an object.')
  return Object.entries(value).flatMap(([path, value]) => within({ op, path: parsePath(path), value }))
}

/** The changes of the members of an attribute that is an object. */
function within({ op, path, value }: Change): Change[] {
  if (!COMPLEX.includes(path.name) || path.sub !== null) return [{ op, path, value }]
  const subs = [...TEXTS.keys()]
    .filter((each) => each.startsWith(`${path.name}.`))
    .map((each) => each.split('.')[1] ?? '')
  if (op === 'remove') return subs.map((sub) => ({ op, path: { ...path, sub }, value: null }))
  // What is only shown is no reason to refuse the other operations.
  if (!isObject(value)) return []
  const given = Object.entries(value).map(([name, value]) => ({
    op,
    path: { ...path, sub: name.toLowerCase() },
    value,
  }))
  // A replaced object loses the members that the new one lacks.
  const lost = op === 'replace' ? subs.filter((sub) => member(value, sub) === undefined) : []
  return [...given, ...lost.map((sub) => ({ op, path: { ...path, sub }, value: null }))]
}

function apply(id: string, values: UserValues, { op, path, value }: Change, isOwn: IsOwn): UserValues {
  const name = path.sub === null ? path.name : `${path.name}.${path.sub}`
  const isRemoval = op === 'remove'
  if (name === 'id') {
    if (isRemoval || value !== id) throw badRequest('mutability', 'id cannot change.')
    return values
  }
  if (name === 'active.value') return { ...values, active: booleanOf(value) }
  if (name === 'username' || name === 'active') {
    if (isRemoval) throw badRequest('mutability', `${name} cannot be removed.`)
    return name === 'active' ? { ...values, active: booleanOf(value) } : { ...values, userName: userNameOf(value) }
  }
  if (path.name === 'emails') {
    // Without an address of the company, a user name that is one takes its place.
    const email = emailAfter(values.email, { op, path, value }, isOwn)
    // No address elsewhere takes the place of one of the company.
    const ofName = emailOf(values.userName)
    const chosen = chosenEmail([email, ofName, values.email], isOwn)
    return { ...values, email: chosen, isByUserName: chosen !== email && chosen === ofName }
  }
  const column = TEXTS.get(name)
  if (!column) return values
  if (isRemoval) return { ...values, [column]: null }
  return { ...values, [column]: column === 'externalId' ? textOf(value, name) : shownTextOf(value) }
}

function emailAfter(before: string | null, { op, path, value }: Change, isOwn: IsOwn): string | null {
  if (path.filter !== null && !selectsKept(path.filter, before)) return before
  if (path.sub !== null && path.sub !== 'value') return before
  if (op === 'remove') return null
  if (path.sub === 'value') return emailOf(value)
  const given = emailsOf(value)
  return op === 'add' ? chosenEmail([...given, before], isOwn) : chosenEmail(given, isOwn)
}

/**
 * Whether a selector, in lower case, selects the one address that is kept: it is of type work, and primary. Selectors of other addresses
 * change nothing. Throws `invalidPath` for one that cannot be read, which must not seem to work.
 */
function selectsKept(filter: string, kept: string | null): boolean {
  const known: Record<string, string | null> = { type: 'work', primary: 'true', value: kept, display: null }
  let rest = filter.trim().replaceAll(/\s+/g, ' ')
  let isKept = true
  while (rest !== '') {
    const [condition, attribute = '', quoted, bare] = CONDITION.exec(rest) ?? []
    if (condition === undefined) {
      throw badRequest('invalidPath', 'An address is selected by `type eq "work"`, joined by `and`.')
    }
    isKept &&= known[attribute] === null || known[attribute] === (quoted ?? bare)
    rest = rest.slice(condition.length)
  }
  return isKept
}
