import { parseEmail } from '@deeb/core/account/email'
import { badRequest } from './scim-error.ts'

/** What the server keeps of a person in a directory. */
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
}

/** The values that are plain text. */
export type TextColumn = Exclude<keyof UserValues, 'email' | 'active'>

const MAX_CHARACTERS = 256

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

/** A text, or null for none. Entra also sends `[{ "value": "text" }]`. Throws `invalidValue`. */
export function textOf(value: Json, name: string): string | null {
  if (value === undefined || value === null || value === '') return null
  const [first] = Array.isArray(value) && value.length === 1 ? value : [value]
  const text = isObject(first) ? member(first, 'value') : first
  if (typeof text !== 'string' || text.length > MAX_CHARACTERS || !PLAIN.test(text)) {
    throw badRequest('invalidValue', `${name} must be a text of at most ${MAX_CHARACTERS} characters.`)
  }
  return text
}

export function userNameOf(value: Json): string {
  const userName = textOf(value, 'userName')
  if (userName === null || userName.trim() === '') throw badRequest('invalidValue', 'userName is required.')
  return userName
}

/** Entra sends `"True"` and `"False"`. Any other value is refused: a truthy `"False"` would keep a leaver signed in. */
export function booleanOf(value: Json): boolean {
  const text = typeof value === 'string' ? value.toLowerCase() : value
  if (text === true || text === 'true') return true
  if (text === false || text === 'false') return false
  throw badRequest('invalidValue', 'active must be true or false.')
}

/** An address; null for a text that is none, with which nobody could have an account. */
export function emailOf(value: Json): string | null {
  const text = textOf(value, 'emails.value')
  return text === null ? null : parseEmail(text)
}

/** The address at work of a list of addresses: by its type, else the primary one, else the first. Undefined if the list is empty. */
export function workEmail(value: Json): Json {
  if (value === undefined || value === null) return undefined
  const entries = Array.isArray(value) ? value : [value]
  if (!entries.every(isObject)) throw badRequest('invalidValue', 'emails must be a list of objects.')
  const typed = (entry: Record<string, Json>) => String(member(entry, 'type')).toLowerCase() === 'work'
  const isPrimary = (entry: Record<string, Json>) => String(member(entry, 'primary')).toLowerCase() === 'true'
  const chosen = entries.find(typed) ?? entries.find(isPrimary) ?? entries[0]
  return chosen && member(chosen, 'value')
}
