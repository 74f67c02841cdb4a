import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Device } from './factors.ts'

/** How a ceremony differs from an honest one in a browser on our page. */
interface Tampering {
  origin?: string
  rpId?: string
  /** False: the authenticator did not verify the user. */
  isVerified?: boolean
  counter?: number
  userHandle?: string
  /** A registration with the key of the last one. */
  keepsKey?: boolean
  /** The attestation; `none` by default. */
  attestation?: { format: string; statement: Map<string, unknown> }
}

/** A software authenticator with one passkey per user, an ES256 key, in a browser on our page. */
export interface Authenticator {
  /** Answers the options of a registration, like `navigator.credentials.create()` as JSON. */
  create(options: object, tampering?: Tampering): object
  /** Answers the options of a sign-in, like `navigator.credentials.get()` as JSON. */
  get(options: object, tampering?: Tampering): object
}

const ORIGIN = 'http://localhost:3000'
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

interface Key {
  id: Buffer
  privateKey: KeyObject
  publicKey: KeyObject
  userHandle: string
}

export function createAuthenticator(): Authenticator {
  let key: Key | null = null
  let uses = 0
  return {
    create(options, tampering = {}) {
      const { challenge, user, rp } = options as { challenge: string; user: { id: string }; rp: { id: string } }
      if (!key || !tampering.keepsKey) {
        key = { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }), id: randomBytes(16), userHandle: user.id }
      }
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, 16), key.id, cbor(coseKey(key.publicKey))])
      const { format = 'none', statement = new Map() } = tampering.attestation ?? {}
      const attestationObject = cbor(
        new Map<string, unknown>([
          ['fmt', format],
          ['attStmt', statement],
          ['authData', authenticatorData(rp.id, uses, tampering, attested)],
        ]),
      )
      const clientDataJSON = clientData('webauthn.create', challenge, tampering)
      return asJson(key, { clientDataJSON, attestationObject, transports: ['internal', 'invented'] })
    },
    get(options, tampering = {}) {
      if (!key) throw new Error('The authenticator has no passkey.')
      const { challenge, rpId } = options as { challenge: string; rpId: string }
      uses += 1
      const authData = authenticatorData(rpId, uses, tampering)
      const clientDataJSON = clientData('webauthn.get', challenge, tampering)
      const signed = Buffer.concat([authData, createHash('sha256').update(clientDataJSON).digest()])
      const signature = sign('sha256', signed, key.privateKey)
      const { userHandle = key.userHandle } = tampering
      return asJson(key, { clientDataJSON, authenticatorData: authData, signature, userHandle })
    },
  }
}

/** Adds a passkey to the account of a device, through auth-js. Returns it with its authenticator. */
export async function addPasskey(device: Device, authenticator = createAuthenticator()) {
  const { data: begun, error } = await device.passkey.startRegistration()
  if (error) throw error
  const credential = authenticator.create(begun.options)
  const { data, error: refused } = await device.passkey.verifyRegistration({
    challengeId: begun.challenge_id,
    credential: credential as never,
  })
  if (refused) throw refused
  return { id: data.id, authenticator }
}

/** Signs in on a device with the passkey of an authenticator, through auth-js. */
export async function signInByPasskey(device: Device, authenticator: Authenticator, tampering?: Tampering) {
  const { data: begun, error } = await device.passkey.startAuthentication()
  if (error) throw error
  const credential = authenticator.get(begun.options, tampering) as never
  return device.passkey.verifyAuthentication({ challengeId: begun.challenge_id, credential })
}

function asJson({ id }: Key, response: Record<string, Buffer | string | string[]>) {
  const encoded = Object.entries(response).map(([name, value]) => [
    name,
    Buffer.isBuffer(value) ? value.toString('base64url') : value,
  ])
  const text = id.toString('base64url')
  return {
    id: text,
    rawId: text,
    type: 'public-key',
    response: Object.fromEntries(encoded),
    clientExtensionResults: {},
  }
}

function clientData(type: string, challenge: string, { origin = ORIGIN }: Tampering): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function authenticatorData(
  ownRpId: string,
  uses: number,
  { rpId = ownRpId, isVerified = true, counter = uses }: Tampering,
  attested?: Buffer,
): Buffer {
  const flags = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | (attested ? HAS_CREDENTIAL : 0)
  const head = Buffer.alloc(37)
  createHash('sha256').update(rpId).digest().copy(head)
  head.writeUInt8(flags, 32)
  head.writeUInt32BE(counter, 33)
  return Buffer.concat([head, attested ?? Buffer.alloc(0)])
}

/** RFC 9053: key type 2 (elliptic curve), algorithm -7 (ES256), curve 1 (P-256), x and y. */
function coseKey(publicKey: KeyObject): Map<number, unknown> {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinates: [number, unknown][] = [
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]
  return new Map<number, unknown>([[1, 2], [3, -7], [-1, 1], ...coordinates])
}

/** CBOR (RFC 8949) of small integers, texts, bytes, lists and maps. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([cborHead(4, value.length), ...value.map(cbor)])
  if (value instanceof Map) return Buffer.concat([cborHead(5, value.size), ...[...value].flat().map(cbor)])
  throw new Error('CBOR of another type.')
}

function cborHead(type: number, count: number): Buffer {
  if (count < 24) return Buffer.of((type << 5) | count)
  if (count < 256) return Buffer.of((type << 5) | 24, count)
  return Buffer.of((type << 5) | 25, count >> 8, count & 255)
}
