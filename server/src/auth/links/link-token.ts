import { createHash, randomBytes } from 'node:crypto'

/** Makes the 256-bit secret of an email link. The database stores only its hash, so a leaked dump contains no usable link. */
export function makeLinkToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashLinkToken(token) }
}

export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
