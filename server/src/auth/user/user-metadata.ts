import { AuthError } from '../http/auth-error.ts'

const MAX_BYTES_AT_SIGN_UP = 2048
/** Measured on the text of the jsonb value in PostgreSQL. */
export const MAX_BYTES = 4096

/** Free data that a client may store with an account. Permissions never depend on it. */
export type UserMetadata = Record<string, unknown>

export interface MetadataChange {
  set: UserMetadata
  /** Names whose value is null in the request. */
  remove: string[]
}

/** Escapes that PostgreSQL cannot store in jsonb: a zero byte, or half of a surrogate pair. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i

/** Validates the `data` of a sign-up: an object of at most 2 KiB as JSON, empty by default. Throws `validation_failed`. */
export function signUpMetadata(data: unknown): UserMetadata {
  if (data === undefined || data === null) return {}
  if (isStorable(data, MAX_BYTES_AT_SIGN_UP)) return data
  throw new AuthError('validation_failed', { message: 'The data of an account must be an object of at most 2 KiB.' })
}

/** Splits the `data` of a change into what to set and what to remove; null without data. Throws `validation_failed`. */
export function metadataChange(data: unknown): MetadataChange | null {
  if (data === undefined || data === null) return null
  if (!isStorable(data, MAX_BYTES)) {
    throw new AuthError('validation_failed', { message: 'The data of an account must be an object of at most 4 KiB.' })
  }
  const entries = Object.entries(data)
  const remove = entries.filter(([, value]) => value === null).map(([name]) => name)
  return { set: Object.fromEntries(entries.filter(([, value]) => value !== null)), remove }
}

function isStorable(data: unknown, maxBytes: number): data is UserMetadata {
  const json = JSON.stringify(data)
  const isObject = typeof data === 'object' && !Array.isArray(data)
  return isObject && Buffer.byteLength(json) <= maxBytes && !UNSTORABLE.test(json)
}
