import { LIMITS } from '../limits/limits-table.ts'
import { ENTERPRISE, type Path, parsePath } from './path.ts'
import { badRequest } from './scim-error.ts'
import {
  booleanOf,
  emailOf,
  isObject,
  type Json,
  member,
  type TextColumn,
  textOf,
  type UserValues,
  userNameOf,
  workEmail,
} from './values.ts'

const MAX_OPERATIONS = LIMITS.scimOperations.rule.max

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

/** A filter that selects the one address that is kept. */
const KEPT_EMAIL = /^(type\s+eq\s+"?work"?|primary\s+eq\s+"?true"?)$/

/**
 * Applies the operations of a PATCH. Unknown attributes are ignored: directories send all that they have. Throws `invalidSyntax`,
 * `invalidPath`, `invalidValue`, `noTarget` and `mutability`.
 */
export function applyPatch(id: string, before: UserValues, body: Json): UserValues {
  const operations = isObject(body) ? member(body, 'operations') : undefined
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS) {
    throw badRequest('invalidSyntax', `Operations must be a list of 1 to ${MAX_OPERATIONS} operations.`)
  }
  return operations.flatMap(changesOf).reduce((values, change) => apply(id, values, change), before)
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
  if (!isObject(value)) throw badRequest('invalidValue', `${path.name} must be an object.`)
  const given = Object.entries(value).map(([name, value]) => ({
    op,
    path: { ...path, sub: name.toLowerCase() },
    value,
  }))
  // A replaced object loses the members that the new one lacks.
  const lost = op === 'replace' ? subs.filter((sub) => member(value, sub) === undefined) : []
  return [...given, ...lost.map((sub) => ({ op, path: { ...path, sub }, value: null }))]
}

function apply(id: string, values: UserValues, { op, path, value }: Change): UserValues {
  const name = path.sub === null ? path.name : `${path.name}.${path.sub}`
  const isRemoval = op === 'remove'
  if (name === 'id') {
    if (isRemoval || value !== id) throw badRequest('mutability', 'id cannot change.')
    return values
  }
  if (name === 'username' || name === 'active') {
    if (isRemoval) throw badRequest('mutability', `${name} cannot be removed.`)
    return name === 'active' ? { ...values, active: booleanOf(value) } : { ...values, userName: userNameOf(value) }
  }
  if (path.name === 'emails') return { ...values, email: emailAfter(values.email, { op, path, value }) }
  const column = TEXTS.get(name)
  return column ? { ...values, [column]: isRemoval ? null : textOf(value, name) } : values
}

function emailAfter(before: string | null, { op, path, value }: Change): string | null {
  const isOther = path.filter !== null && !KEPT_EMAIL.test(path.filter.trim())
  if (isOther || (path.sub !== null && path.sub !== 'value')) return before
  if (op === 'remove') return null
  if (path.sub === 'value') return emailOf(value)
  const chosen = workEmail(value)
  // An added list may have other addresses only.
  return chosen === undefined && op === 'add' ? before : emailOf(chosen)
}
