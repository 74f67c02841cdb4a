import { createHmac, timingSafeEqual } from 'node:crypto'

/*
 * base64url(0x01 | id of the auth session, 16 bytes | counter, 4 bytes | HMAC-SHA256 of the bytes before, 32 bytes): 71 characters.
 * The token is not stored. The row of the auth session has the counter of the current token.
 */
const VERSION = 1
const BODY_BYTES = 1 + 16 + 4
const TOKEN_BYTES = BODY_BYTES + 32

export interface RefreshToken {
  sessionId: string
  /** The number of refreshes of the auth session when the token was issued. */
  counter: number
}

export function writeRefreshToken(key: Buffer, { sessionId, counter }: RefreshToken): string {
  const body = Buffer.alloc(BODY_BYTES)
  body.writeUInt8(VERSION, 0)
  body.write(sessionId.replaceAll('-', ''), 1, 'hex')
  body.writeUInt32BE(counter, 17)
  return Buffer.concat([body, hmac(key, body)]).toString('base64url')
}

/** Parses a token signed with one of `keys`; null for anything else. The signature comparison is constant-time. */
export function readRefreshToken(keys: readonly Buffer[], text: string): RefreshToken | null {
  const bytes = Buffer.from(text, 'base64url')
  // The decoder ignores invalid characters and unused bits, so only the canonical spelling of a token is accepted.
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== text || bytes[0] !== VERSION) return null
  const body = bytes.subarray(0, BODY_BYTES)
  if (!keys.some((key) => timingSafeEqual(bytes.subarray(BODY_BYTES), hmac(key, body)))) return null
  return { sessionId: uuid(body.subarray(1, 17)), counter: body.readUInt32BE(17) }
}

function hmac(key: Buffer, body: Buffer): Buffer {
  return createHmac('sha256', key).update(body).digest()
}

function uuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
