import { createHash, randomBytes } from 'node:crypto'

/** The secret of a link in a mail: 256 bits. The database keeps the hash only, so a dump of it opens nothing. */
export function makeLinkToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashLinkToken(token) }
}

export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
