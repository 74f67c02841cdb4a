import { createHash, randomBytes } from 'node:crypto'
import { signTokenOf } from '@deeb/core/signs/display'

const TOKEN_BYTES = 16

/** A new secret for the link of a sign, in the form of `signTokenOf`, and what is stored of it. */
export function makeSignToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, tokenHash: hashOf(token) }
}

/** The hash of a secret; null for a text that is none. */
export function signTokenHash(text: string): Buffer | null {
  const token = signTokenOf(text)
  return token === null ? null : hashOf(token)
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
