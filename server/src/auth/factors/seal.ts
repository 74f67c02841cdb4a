import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/* 0x01 | nonce, 12 bytes | tag, 16 bytes | what was sealed, by AES-256-GCM */
const CIPHER = 'aes-256-gcm'
const VERSION = 1
const NONCE_END = 1 + 12
const TAG_END = NONCE_END + 16

/**
 * Seals a secret for its place in the database, named by `place`: moved into somebody else's row, it does not open. Other
 * than a password it has to be read again, so hashing it would not do.
 */
export function seal(key: Buffer, secret: Buffer, context: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: 16 }).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), sealed])
}

/** What `seal` was given, if one of `keys` did it for that place. Throws otherwise: then it is lost. */
export function unseal(keys: readonly Buffer[], sealed: Buffer, context: string): Buffer {
  for (const key of keys) {
    const opened = open(key, sealed, context)
    if (opened) return opened
  }
  throw new Error('A sealed secret does not open. Was DEEB_SECRET or the file "secret" exchanged without the old one?')
}

function open(key: Buffer, sealed: Buffer, context: string): Buffer | null {
  if (sealed[0] !== VERSION) return null
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(1, NONCE_END), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(NONCE_END, TAG_END))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(TAG_END)), decipher.final()])
  } catch {
    return null
  }
}
