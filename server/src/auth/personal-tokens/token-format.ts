import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Secret scanners find tokens by this. */
const PREFIX = 'deeb_pat_'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
const FORMAT = new RegExp(`^${PREFIX}([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`)

/** A new personal access token: 256 random bits in base62, then the CRC-32 of that text. */
export function makeToken(): { token: string; tokenHash: Buffer } {
  const secret = Array.from({ length: SECRET_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('')
  const token = PREFIX + secret + checksumOf(secret)
  return { token, tokenHash: hashOf(token) }
}

/** Whether a bearer token claims to be a personal access token. */
export function isPersonalToken(bearer: string): boolean {
  return bearer.startsWith(PREFIX)
}

/** Whether its checksum is right. A typing error is found without a query. */
export function isWellFormed(token: string): boolean {
  const [, secret = '', checksum] = FORMAT.exec(token) ?? []
  return checksum === checksumOf(secret)
}

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function checksumOf(secret: string): string {
  let rest = crc32(secret)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62[rest % BASE62.length] + text
    rest = Math.floor(rest / BASE62.length)
  }
  return text
}
