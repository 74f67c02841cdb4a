import { createHash, randomBytes } from 'node:crypto'

const FILE = /^([\w-]{43})\.ics$/

/** A new secret for the link of a calendar: 256 random bits. */
export function makeCalendarToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The hash of a secret, as the database stores it. A fast hash is enough: nobody can guess 256 random bits. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** The hash of the secret in a file name `<token>.ics`; null for a text that cannot be one. */
export function hashOfFile(file: string): Buffer | null {
  const token = FILE.exec(file)?.[1]
  return token === undefined ? null : hashOfToken(token)
}
