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
 * Everything secret that the service works with, made from one secret and kept in no database. While a secret is being
 * exchanged, the keys of the old one still verify and open, and nothing new is made with them.
 */
export interface Keys {
  signing: { kid: string; privateKey: KeyObject }
  /** By key id: whose signatures on access tokens count. */
  publicKeys: ReadonlyMap<string, KeyObject>
  /** The public keys as /.well-known/jwks.json shows them. */
  jwks: { keys: PublicJwk[] }
  /** Authenticates refresh tokens, HMAC-SHA256. */
  refreshKey: Buffer
  /** Whose refresh tokens count: `refreshKey`, then that of the old secret. */
  refreshKeys: readonly Buffer[]
  /** For what is sealed at rest, AES-256-GCM: the first seals, each one opens. */
  sealKeys: readonly [Buffer, ...Buffer[]]
  /** Opens the outbox page, and is printed at the start of a server that has one; base64url, 43 characters. */
  adminKey: string
  /** Sent by the command that asks a running server for its backup; base64url, 43 characters. Printed nowhere. */
  backupKey: string
}

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
 * The 32 bytes that all keys come from: `config.secret`, else the file `secret` in the data folder, which the first
 * start makes. Throws a sentence if the file holds something else.
 */
export async function loadSecret(config: Pick<Config, 'secret' | 'dataDir'>): Promise<Buffer> {
  if (config.secret !== null) return Buffer.from(config.secret, 'hex')
  const path = join(config.dataDir, 'secret')
  const text = (await readIfThere(path)) ?? (await makeSecret(config.dataDir, path))
  if (/^[0-9a-f]{64}$/i.test(text.trim())) return Buffer.from(text.trim(), 'hex')
  throw new Error(`${path} must hold 64 hexadecimal digits. Restore it: without it everybody has to sign in again.`)
}

/** The keys of the secret that is in use, and of `config.oldSecret` if there is one. Throws as loadSecret() does. */
export async function loadKeys(config: Pick<Config, 'secret' | 'oldSecret' | 'dataDir'>): Promise<Keys> {
  return deriveKeys(await loadSecret(config), config.oldSecret === null ? null : Buffer.from(config.oldSecret, 'hex'))
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * The file appears under its name complete or not at all, and never replaces another: of two servers that start at
 * once, both go on with the secret of the one that linked first.
 */
async function makeSecret(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('hex')}\n`)
    await file.sync()
    // Some file systems have no links: there it is a copy, which replaces nothing either.
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

/** All keys of one 32-byte secret, with those by which the old one goes on. The same always gives the same keys. */
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
    sealKeys: [sealKeyOf(secret), ...old.map(sealKeyOf)],
    adminKey: expand(secret, 'operator key', 32).toString('base64url'),
    backupKey: expand(secret, 'backup key', 32).toString('base64url'),
  }
}

const signingKeyOf = (secret: Buffer) => signingKey(expand(secret, 'access token signing key', 48))
const refreshKeyOf = (secret: Buffer) => expand(secret, 'refresh token key', 32)
const sealKeyOf = (secret: Buffer) => expand(secret, 'seal key', 32)

function expand(secret: Buffer, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `deeb v1 ${purpose}`, length))
}

/** FIPS 186-5 A.2.1: 128 bits more than the order has, so that the remainder favours no key. */
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

/** RFC 7638: the required members in alphabetical order. */
function thumbprint({ crv, kty, x, y }: { crv: string; kty: string; x: string; y: string }): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}
