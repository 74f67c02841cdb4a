import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { digitsOf } from '@deeb/core/account/code'

/** RFC 6238 with the parameters that every authenticator app supports: SHA-1, six digits, thirty seconds. */
const STEP_SECONDS = 30
const DIGITS = 6
const SECRET_BYTES = 20
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function makeTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** The code of a time step: the number of 30-second intervals since 1970. */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0xf
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

export function totpStep(now: Date): number {
  return Math.floor(now.getTime() / 1000 / STEP_SECONDS)
}

/**
 * The time step of a typed code: the current one, or the one before or after it, because clocks differ. Null for a wrong code.
 *
 * Prevents replay attacks: a step up to `lastStep`, the last accepted one, is rejected. The comparison is constant-time.
 */
export function acceptedStep(secret: Buffer, typed: string, lastStep: number | null, now: Date): number | null {
  const code = Buffer.from(digitsOf(typed))
  if (code.length !== DIGITS) return null
  const present = totpStep(now)
  const steps = [present - 1, present, present + 1].filter((step) => lastStep === null || step > lastStep)
  return steps.find((step) => timingSafeEqual(code, Buffer.from(totpCode(secret, step)))) ?? null
}

/** RFC 4648 without padding: the form of a secret that a user types into an app. `alphabet` has 32 characters. */
export function base32(bytes: Buffer, alphabet = BASE32): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** The URI that an authenticator app reads from a QR code. */
export function totpUri(secret: Buffer, { issuer, email }: { issuer: string; email: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  const query = `secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
  return `otpauth://totp/${label}?${query}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`
}
