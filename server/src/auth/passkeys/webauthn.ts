import * as v from 'valibot'
import type { RelyingParty } from './relying-party.ts'

/** ES256, RS256 and EdDSA. */
export const ALGORITHMS = [-7, -257, -8]

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
const MAX_CREDENTIAL_ID_BYTES = 1023

const Base64url = v.pipe(v.string(), v.regex(/^[\w-]+$/))
const Credential = { id: Base64url, rawId: Base64url, type: v.literal('public-key') }

/** The answer of the browser for a new passkey, as JSON. */
export const NewCredential = v.object({
  ...Credential,
  response: v.object({
    clientDataJSON: Base64url,
    attestationObject: Base64url,
    transports: v.optional(v.nullable(v.array(v.string()))),
  }),
})

/** The answer of the browser for a sign-in with a passkey, as JSON. */
export const Assertion = v.object({
  ...Credential,
  response: v.object({
    clientDataJSON: Base64url,
    authenticatorData: Base64url,
    signature: Base64url,
    userHandle: v.optional(v.nullable(v.string())),
  }),
})

interface Registered {
  credentialId: Buffer
  publicKey: Buffer
  signCount: number
  transports: string[]
  /** The model of the authenticator; zeros if it does not say. */
  aaguid: string
  backupEligible: boolean
  backedUp: boolean
}

/**
 * Verifies a new passkey: challenge, origin, relying party, user verification and algorithm. Null if something is wrong.
 *
 * Ignores the attestation, which the browser was not asked for: the library would fetch revocation lists from addresses in its
 * certificates (SSRF).
 */
export async function checkNewCredential(
  { id, origin }: RelyingParty,
  challenge: string,
  { response: { clientDataJSON, attestationObject, transports }, ...credential }: v.InferOutput<typeof NewCredential>,
): Promise<Registered | null> {
  const { verifyRegistrationResponse, helpers } = await loadLibrary()
  const { decodeAttestationObject, isoCBOR } = helpers
  try {
    const authData = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url'))).get(
      'authData',
    )
    const unattested = new Map<string, string | Uint8Array | Map<string, never>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, never>()],
      ['authData', authData],
    ])
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...credential,
        response: { clientDataJSON, attestationObject: Buffer.from(isoCBOR.encode(unattested)).toString('base64url') },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return null
    const credentialId = Buffer.from(registrationInfo.credential.id, 'base64url')
    if (credentialId.length === 0 || credentialId.length > MAX_CREDENTIAL_ID_BYTES) return null
    return {
      credentialId,
      publicKey: Buffer.from(registrationInfo.credential.publicKey),
      signCount: registrationInfo.credential.counter,
      transports: TRANSPORTS.filter((transport) => transports?.includes(transport)),
      aaguid: registrationInfo.aaguid,
      backupEligible: registrationInfo.credentialDeviceType === 'multiDevice',
      backedUp: registrationInfo.credentialBackedUp,
    }
  } catch {
    return null
  }
}

/**
 * Verifies a sign-in with a passkey: challenge, origin, relying party, user verification and signature. Null if something is
 * wrong. Does not compare the counter, so that only a valid signature can be reported as a clone.
 */
export async function checkAssertion(
  { id, origin }: RelyingParty,
  challenge: string,
  assertion: v.InferOutput<typeof Assertion>,
  publicKey: Buffer,
): Promise<{ signCount: number; backedUp: boolean } | null> {
  const { verifyAuthenticationResponse } = await loadLibrary()
  const { clientDataJSON, authenticatorData, signature } = assertion.response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...assertion,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      credential: { id: assertion.id, publicKey: new Uint8Array(publicKey), counter: 0 },
      requireUserVerification: true,
    })
    if (!verified) return null
    return { signCount: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp }
  } catch {
    return null
  }
}

/** Imports the library at the first use: it takes 23 MB of memory, and many servers have no passkey. */
async function loadLibrary() {
  const [library, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  return { ...library, helpers }
}
