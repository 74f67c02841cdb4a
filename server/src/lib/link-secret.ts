import { createHash, randomBytes } from 'node:crypto'
import { linkSecretOf } from '@deeb/core/link-secret'

const SECRET_BYTES = 16

/** A new secret for a link, in the form of `linkSecretOf`, and what is stored of it. */
export function makeLinkSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  return { secret, hash: hashOf(secret) }
}

/** The hash of a secret; null for a text that is none. */
export function linkSecretHash(text: string): Buffer | null {
  const secret = linkSecretOf(text)
  return secret === null ? null : hashOf(secret)
}

/** A fast hash is enough: nobody can guess 128 random bits. */
function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
