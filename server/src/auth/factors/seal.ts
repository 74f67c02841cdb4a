import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/* 0x01 | nonce, 12 bytes | tag, 16 bytes | ciphertext of AES-256-GCM */
const CIPHER = 'aes-256-gcm'
const VERSION = 1
const NONCE_END = 1 + 12
const TAG_END = NONCE_END + 16

/**
 * Encrypts a secret with AES-256-GCM. `context`, such as the id of its row, is authenticated: the ciphertext does not decrypt in
 * another user's row. A hash would not do, because the secret is needed to compute codes.
 */
export function seal(key: Buffer, secret: Buffer, context: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: 16 }).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), sealed])
}

/** Decrypts the output of `seal` with the first of `keys` that fits. Throws if none does: the secret is lost. */
export function unseal(keys: readonly Buffer[], sealed: Buffer, context: string): Buffer {
  const opened = tryUnseal(keys, sealed, context)
  if (opened) return opened
  throw new Error(
    'A secret in the database cannot be decrypted. If DEEB_SECRET or the file "secret" was changed, set DEEB_SECRET_OLD to the old value.',
  )
}

/** The same, but null instead of an error: for a text that anyone may have sent. */
export function tryUnseal(keys: readonly Buffer[], sealed: Buffer, context: string): Buffer | null {
  for (const key of keys) {
    const opened = open(key, sealed, context)
    if (opened) return opened
  }
  return null
}

function open(key: Buffer, sealed: Buffer, context: string): Buffer | null {
  if (sealed[0] !== VERSION || sealed.length < TAG_END) return null
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(1, NONCE_END), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(NONCE_END, TAG_END))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(TAG_END)), decipher.final()])
  } catch {
    return null
  }
}
