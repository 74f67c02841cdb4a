import { parseEmail } from '@deeb/core/account/email'
import { badRequest } from './scim-error.ts'

/** The values that the server keeps of a person in a directory. */
export interface UserValues {
  userName: string
  externalId: string | null
  /** The address at work, as normalized by parseEmail(). */
  email: string | null
  givenName: string | null
  familyName: string | null
  displayName: string | null
  department: string | null
  active: boolean
  /** The address is the user name, for want of an address of the company: it finds an account, and moves none. */
  isByUserName?: boolean
}

/** The values that are plain text. */
export type TextColumn = Exclude<keyof UserValues, 'email' | 'active' | 'isByUserName'>

const MAX_CHARACTERS = 256
const MAX_SHOWN_CHARACTERS = 100

/** A text without control characters and lone surrogates, which the database or a terminal would misread. */
const PLAIN = /^[^\p{Cc}\p{Cs}]*$/u

export type Json = unknown

export function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member of an object by its name in any letter case: names of SCIM attributes have none. */
export function member(object: Record<string, Json>, name: string): Json {
  const key = Object.keys(object).find((key) => key.toLowerCase() === name)
  return key === undefined ? undefined : object[key]
}

/** The value of a simple attribute. Entra also sends `[{ "value": "text" }]`. */
function simple(value: Json): Json {
  const [first] = Array.isArray(value) && value.length === 1 ? value : [value]
  return isObject(first) ? member(first, 'value') : first
}

/** A text by which a directory finds a person, or null for none. Throws `invalidValue`. */
export function textOf(value: Json, name: string): string | null {
  const text = simple(value)
  if (text === undefined || text === null || text === '') return null
  if (typeof text !== 'string' || text.length > MAX_CHARACTERS || !PLAIN.test(text)) {
    throw badRequest('invalidValue', `${name} must be a text of at most ${MAX_CHARACTERS} characters.`)
  }
  return text
}

/**
 * A text that is only shown, or null for none. Cleaned and cut, never refused: a name with a tab must not keep a leaver signed in.
 */
export function shownTextOf(value: Json): string | null {
  const text = simple(value)
  if (typeof text !== 'string') return null
  return [...text.replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ').trim()].slice(0, MAX_SHOWN_CHARACTERS).join('') || null
}

export function userNameOf(value: Json): string {
  const userName = textOf(value, 'userName')
  if (userName === null || userName.trim() === '') throw badRequest('invalidValue', 'userName is required.')
  return userName
}

/** Entra sends `"True"` and `"False"`. Any other value is refused: a truthy `"False"` would keep a leaver signed in. */
export function booleanOf(value: Json): boolean {
  const given = simple(value)
  const text = typeof given === 'string' ? given.toLowerCase() : given
  if (text === true || text === 'true') return true
  if (text === false || text === 'false') return false
  throw badRequest('invalidValue', 'active must be true or false.')
}

/** An address; null for a text that is none, with which nobody could have an account. */
export function emailOf(value: Json): string | null {
  const text = simple(value)
  return typeof text === 'string' ? parseEmail(text) : null
}

/** Whether an address is in a domain for which the provider of the directory speaks. */
export type IsOwn = (email: string) => boolean

/** The first address that the provider speaks for, else the first one; null without any. */
export function chosenEmail(candidates: (string | null)[], isOwn: IsOwn): string | null {
  const emails = candidates.filter((email) => email !== null)
  return emails.find(isOwn) ?? emails[0] ?? null
}

/** The addresses of a list: those at work first, then the primary ones, then the others. */
export function emailsOf(value: Json): (string | null)[] {
  if (value === undefined || value === null) return []
  const entries = Array.isArray(value) ? value : [value]
  const is = (name: string, wanted: string) => (entry: Json) =>
    isObject(entry) && String(member(entry, name)).toLowerCase() === wanted
  const inOrder = [...entries.filter(is('type', 'work')), ...entries.filter(is('primary', 'true')), ...entries]
  return inOrder.map(emailOf)
}
