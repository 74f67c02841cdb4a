import { AuthError } from './door/auth-error.ts'

const MOST_BYTES_AT_SIGN_UP = 2048

/** What a client may keep beside an account. Nobody's rights depend on it. */
export type UserMetadata = Record<string, unknown>

/** What PostgreSQL cannot hold in jsonb: the escape of a zero byte, or of half a character. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i

/** The `data` of a sign-up: an object of at most 2 KiB as JSON, empty if none came. Throws `validation_failed`. */
export function signUpMetadata(data: unknown): UserMetadata {
  if (data === undefined || data === null) return {}
  const json = JSON.stringify(data)
  const isObject = typeof data === 'object' && !Array.isArray(data)
  const isStorable = Buffer.byteLength(json) <= MOST_BYTES_AT_SIGN_UP && !UNSTORABLE.test(json)
  if (isObject && isStorable) return data as UserMetadata
  throw new AuthError('validation_failed', { message: 'The data of an account is an object of at most 2 KiB.' })
}
