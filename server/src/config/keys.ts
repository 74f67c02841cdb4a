import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { constants, copyFile, link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'

/**
 * All keys of the server, derived from one secret and never stored in the database. During a rotation of the secret, the keys of the
 * old one still verify and decrypt, but never sign or encrypt.
 */
export interface Keys {
  /** Signs access tokens, ES256. */
  signing: { kid: string; privateKey: KeyObject }
  /** Verify access tokens, by key id. */
  publicKeys: ReadonlyMap<string, KeyObject>
  /** The same public keys, as /.well-known/jwks.json shows them. */
  jwks: { keys: PublicJwk[] }
  /** Signs refresh tokens, HMAC-SHA256. */
  refreshKey: Buffer
  /** Verify refresh tokens: `refreshKey`, then that of the old secret. */
  refreshKeys: readonly Buffer[]
  /** Sign the links that stop emails, HMAC-SHA256. The first signs, all verify. */
  unsubscribeKeys: readonly [Buffer, ...Buffer[]]
  /** Sign the links that invite to a company or a circle, HMAC-SHA256. The first signs, all verify. */
  invitationKeys: readonly [Buffer, ...Buffer[]]
  /** Encryption at rest, AES-256-GCM. The first encrypts, all decrypt. */
  sealKeys: readonly [Buffer, ...Buffer[]]
  /** Sign challenges for passkeys, HMAC-SHA256. The first signs, all verify. */
  passkeyKeys: readonly [Buffer, ...Buffer[]]
  /** Hash recovery codes, HMAC-SHA256. The first hashes new ones, all recognize. */
  recoveryCodeKeys: readonly [Buffer, ...Buffer[]]
  /** Encrypt the state of a company sign-in, AES-256-GCM. The first encrypts, all decrypt. */
  companyFlowKeys: readonly [Buffer, ...Buffer[]]
  /** Signs the link that creates the first account, HMAC-SHA256. */
  firstAccountKey: Buffer
  /** Tell which secret this is, without telling it: of the current one, then of the old one. */
  fingerprints: readonly [Buffer, ...Buffer[]]
  /** Hashes what auth.guesses counts, HMAC-SHA256. A new secret forgets the guesses. */
  guessKey: Buffer
  /** Authorizes requests of the outbox page; base64url, 43 characters. A server with that page prints it at start. */
  adminKey: string
}

type SecretConfig = Pick<Config, 'secret' | 'oldSecret' | 'dataDir'>

interface PublicJwk {
  kty: 'EC'
  crv: 'P-256'
  x: string
  y: string
  kid: string
  alg: 'ES256'
  use: 'sig'
}

/** The order of the curve P-256. */
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/**
 * Loads the secret (32 bytes): `config.secret`, else the file `secret` in the data folder, which is created if it is missing and
 * `mayCreate`; else null. Throws if the file has another format.
 */
export async function loadSecret(
  config: Pick<Config, 'secret' | 'dataDir'>,
  { mayCreate }: { mayCreate: boolean },
): Promise<Buffer | null> {
  if (config.secret !== null) return Buffer.from(config.secret, 'hex')
  const path = join(config.dataDir, 'secret')
  const text = (await readIfThere(path)) ?? (mayCreate ? await makeSecret(config.dataDir, path) : null)
  if (text === null) return null
  if (/^[0-9a-f]{64}$/i.test(text.trim())) return Buffer.from(text.trim(), 'hex')
  throw new Error(`${path} must contain 64 hexadecimal digits. Restore it, or all users must sign in again.`)
}

/** Loads the keys of the current secret, and of `config.oldSecret` if it is set. Null without a secret, unless one may be created. */
export function loadKeys(config: SecretConfig, may: { mayCreate: true }): Promise<Keys>
export function loadKeys(config: SecretConfig, may: { mayCreate: boolean }): Promise<Keys | null>
export async function loadKeys(config: SecretConfig, may: { mayCreate: boolean }): Promise<Keys | null> {
  const secret = await loadSecret(config, may)
  return secret && deriveKeys(secret, config.oldSecret === null ? null : Buffer.from(config.oldSecret, 'hex'))
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    if (code === 'EACCES') throw new Error(`${path} cannot be read by the user of the server. Make it the owner.`)
    throw error
  }
}

/**
 * Creates the secret file atomically and never overwrites one. Two servers that start concurrently both use the secret of the first
 * link.
 */
async function makeSecret(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('hex')}\n`)
    await file.sync()
    // Some file systems have no hard links. COPYFILE_EXCL does not overwrite either.
    await link(draft, path)
      .catch(() => copyFile(draft, path, constants.COPYFILE_EXCL))
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
  return readFile(path, 'utf8')
}

/** Derives all keys from a 32-byte secret with HKDF-SHA256, and the verifying keys of the old one. Deterministic. */
export async function deriveKeys(secret: Buffer, oldSecret: Buffer | null = null): Promise<Keys> {
  const old = oldSecret === null || oldSecret.equals(secret) ? [] : [oldSecret]
  const signing = signingKeyOf(secret)
  const verifying = [signing, ...old.map(signingKeyOf)]
  const refreshKey = refreshKeyOf(secret)
  return {
    signing: { kid: signing.jwk.kid, privateKey: signing.privateKey },
    publicKeys: new Map(verifying.map(({ jwk, privateKey }) => [jwk.kid, createPublicKey(privateKey)])),
    jwks: { keys: verifying.map(({ jwk }) => jwk) },
    refreshKey,
    refreshKeys: [refreshKey, ...old.map(refreshKeyOf)],
    unsubscribeKeys: [unsubscribeKeyOf(secret), ...old.map(unsubscribeKeyOf)],
    invitationKeys: [invitationKeyOf(secret), ...old.map(invitationKeyOf)],
    sealKeys: [sealKeyOf(secret), ...old.map(sealKeyOf)],
    passkeyKeys: [passkeyKeyOf(secret), ...old.map(passkeyKeyOf)],
    recoveryCodeKeys: [recoveryCodeKeyOf(secret), ...old.map(recoveryCodeKeyOf)],
    companyFlowKeys: [companyFlowKeyOf(secret), ...old.map(companyFlowKeyOf)],
    fingerprints: [fingerprintOf(secret), ...old.map(fingerprintOf)],
    firstAccountKey: expand(secret, 'first account key', 32),
    guessKey: expand(secret, 'guess key', 32),
    adminKey: expand(secret, 'operator key', 32).toString('base64url'),
  }
}

const signingKeyOf = (secret: Buffer) => signingKey(expand(secret, 'access token signing key', 48))
const refreshKeyOf = (secret: Buffer) => expand(secret, 'refresh token key', 32)
const unsubscribeKeyOf = (secret: Buffer) => expand(secret, 'unsubscribe key', 32)
const invitationKeyOf = (secret: Buffer) => expand(secret, 'invitation key', 32)
const sealKeyOf = (secret: Buffer) => expand(secret, 'seal key', 32)
const passkeyKeyOf = (secret: Buffer) => expand(secret, 'passkey challenge key', 32)
const recoveryCodeKeyOf = (secret: Buffer) => expand(secret, 'recovery code key', 32)
const fingerprintOf = (secret: Buffer) => expand(secret, 'fingerprint', 16)
const companyFlowKeyOf = (secret: Buffer) => expand(secret, 'company flow key', 32)

function expand(secret: Buffer, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `deeb v1 ${purpose}`, length))
}

/** Derives a P-256 key by FIPS 186-5 A.2.1: the seed has 128 bits more than the order, so that the remainder is unbiased. */
function signingKey(seed: Buffer): { jwk: PublicJwk; privateKey: KeyObject } {
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (P256_ORDER - 1n)) + 1n
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(d)
  const point = curve.getPublicKey()
  const coordinates = {
    crv: 'P-256',
    kty: 'EC',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  } as const
  const privateKey = createPrivateKey({ key: { ...coordinates, d: d.toString('base64url') }, format: 'jwk' })
  return { jwk: { ...coordinates, kid: thumbprint(coordinates), alg: 'ES256', use: 'sig' }, privateKey }
}

/** The key id: the JWK thumbprint of RFC 7638. Its members must be in alphabetical order. */
function thumbprint({ crv, kty, x, y }: { crv: string; kty: string; x: string; y: string }): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}
