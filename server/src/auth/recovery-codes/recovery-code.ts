import { createHmac, randomBytes } from 'node:crypto'
import { withAsciiDigits } from '@deeb/core/account/code'
import { base32 } from '../factors/totp.ts'

/** Ten codes, as many as fit on a slip of paper. */
export const CODES = 10

/** 80 bits: nobody guesses a code, so a right one needs no lock-out. */
const CODE_BYTES = 10
const CODE_LENGTH = 16

/** Without `i`, `l`, `o` and `u` (Crockford), which people confuse with other characters or read as words. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE = new RegExp(`^[${ALPHABET}]{${CODE_LENGTH}}$`)

/** Makes recovery codes. They are shown once, and only their hashes are stored. */
export function makeCodes(): string[] {
  return Array.from({ length: CODES }, () => base32(randomBytes(CODE_BYTES), ALPHABET))
}

/** Normalizes a typed code: any case and width, only letters and digits, and `o`, `i` and `l` for the digits. Null for any other text. */
export function normalCode(typed: string): string | null {
  const code = withAsciiDigits(typed.normalize('NFKC').toLowerCase())
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
  return CODE.test(code) ? code : null
}

/** The stored form of a code. It is keyed, so a leaked dump alone tests no guess. */
export function hashCode(key: Buffer, factorId: string, code: string): Buffer {
  return createHmac('sha256', key).update(`${factorId} ${code}`).digest()
}
