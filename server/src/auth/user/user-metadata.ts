import { AuthError } from '../http/auth-error.ts'

const MAX_BYTES_AT_SIGN_UP = 2048
/** As PostgreSQL writes it. */
export const MAX_BYTES = 4096

/** What a client may keep beside an account. Nobody's rights depend on it. */
export type UserMetadata = Record<string, unknown>

export interface MetadataChange {
  set: UserMetadata
  /** Names that came with null. */
  remove: string[]
}

/** What PostgreSQL cannot hold in jsonb: the escape of a zero byte, or of half a character. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i

/** The `data` of a sign-up: an object of at most 2 KiB as JSON, empty if none came. Throws `validation_failed`. */
export function signUpMetadata(data: unknown): UserMetadata {
  if (data === undefined || data === null) return {}
  if (isStorable(data, MAX_BYTES_AT_SIGN_UP)) return data
  throw new AuthError('validation_failed', { message: 'The data of an account is an object of at most 2 KiB.' })
}

/** The `data` of a change: what to set and what to remove; null if none came. Throws `validation_failed`. */
export function metadataChange(data: unknown): MetadataChange | null {
  if (data === undefined || data === null) return null
  if (!isStorable(data, MAX_BYTES)) {
    throw new AuthError('validation_failed', { message: 'The data of an account is an object of at most 4 KiB.' })
  }
  const entries = Object.entries(data)
  const remove = entries.filter(([, value]) => value === null).map(([name]) => name)
  return { set: Object.fromEntries(entries.filter(([, value]) => value !== null)), remove }
}

function isStorable(data: unknown, mostBytes: number): data is UserMetadata {
  const json = JSON.stringify(data)
  const isObject = typeof data === 'object' && !Array.isArray(data)
  return isObject && Buffer.byteLength(json) <= mostBytes && !UNSTORABLE.test(json)
}
