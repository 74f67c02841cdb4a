/// <reference path="./http-ece.d.ts" />
import { createECDH, ECDH } from 'node:crypto'
import ece from 'http_ece'

/** The keys of a browser, from its subscription. */
export interface BrowserKeys {
  p256dh: Buffer
  authSecret: Buffer
}

/** The length of every message before encryption: a push service must not tell short names from long ones. */
const PADDED_TO = 512

/** Encrypts a message for one browser (RFC 8291): the push service cannot read it. */
export function encryptFor({ p256dh, authSecret }: BrowserKeys, message: object): Buffer {
  const privateKey = createECDH('prime256v1')
  privateKey.generateKeys()
  const plaintext = Buffer.from(JSON.stringify(message))
  const pad = Math.max(0, PADDED_TO - plaintext.length)
  return ece.encrypt(plaintext, { version: 'aes128gcm', privateKey, dh: p256dh, authSecret, pad })
}

/** Whether `p256dh` is a point of the curve, so that a message can be encrypted for it. */
export function isPublicKey(p256dh: Buffer): boolean {
  try {
    return ECDH.convertKey(p256dh, 'prime256v1').length === p256dh.length
  } catch {
    return false
  }
}
