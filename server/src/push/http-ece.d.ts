declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  interface EncryptParams {
    version: 'aes128gcm'
    /** The key pair of this message. */
    privateKey: ECDH
    /** The public key of the receiver. */
    dh: Buffer
    authSecret: Buffer
    /** The number of bytes to add, so that the length tells nothing. */
    pad: number
    /** Random by default. */
    salt?: Buffer
  }

  const ece: { encrypt(plaintext: Buffer, params: EncryptParams): Buffer }
  export default ece
}
