import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { AuthError } from '../http/auth-error.ts'

/*
 * The id of a challenge is base64url(kind, 1 byte | expiry in seconds, 4 bytes | nonce, 16 bytes | user id, 16 bytes or zeros |
 * HMAC-SHA256 of the bytes before, 32 bytes). The challenge is another HMAC of the same bytes. So neither is stored: opening
 * the sign-in page writes no row, however often a stranger does it.
 */
const BODY_BYTES = 1 + 4 + 16 + 16
const ID_BYTES = BODY_BYTES + 32

/** A challenge must be answered within this time. */
const LIFETIME_SECONDS = 300

/** A spent challenge is stored this much longer than it lives, because the clocks of two servers differ. */
const SPENT_MARGIN_MS = 300_000

const KINDS = { registration: 1, authentication: 2 } as const

/** A registration challenge is of one user. An authentication challenge is of nobody: the passkey tells who signs in. */
type Purpose = { kind: 'registration'; userId: string } | { kind: 'authentication' }

interface NewChallenge {
  id: string
  challenge: string
  /** In seconds since 1970. */
  expiresAt: number
}

export function makeChallenge(key: Buffer, purpose: Purpose, now: Date): NewChallenge {
  const expiresAt = Math.floor(now.getTime() / 1000) + LIFETIME_SECONDS
  const body = Buffer.alloc(BODY_BYTES)
  body.writeUInt8(KINDS[purpose.kind], 0)
  body.writeUInt32BE(expiresAt, 1)
  randomBytes(16).copy(body, 5)
  userBytes(purpose).copy(body, 21)
  const id = Buffer.concat([body, hmac(key, 'id', body)]).toString('base64url')
  return { id, challenge: challengeOf(key, body), expiresAt }
}

export interface Challenge {
  /** base64url, as the authenticator signs it. */
  challenge: string
  /** For auth.spent_tokens, so that the challenge counts once. */
  spentHash: Buffer
  spentUntil: Date
}

/**
 * Reads the id of a challenge that one of `keys` signed for `purpose`. Throws `webauthn_challenge_not_found` for anything else, and
 * `webauthn_challenge_expired`.
 */
export function readChallenge(keys: readonly Buffer[], purpose: Purpose, id: string, now: Date): Challenge {
  const bytes = Buffer.from(id, 'base64url')
  const body = bytes.subarray(0, BODY_BYTES)
  // The decoder ignores invalid characters, so only the canonical spelling of an id is accepted.
  const isWellFormed = bytes.length === ID_BYTES && bytes.toString('base64url') === id
  const key = isWellFormed && keys.find((key) => timingSafeEqual(bytes.subarray(BODY_BYTES), hmac(key, 'id', body)))
  const isOurs = body[0] === KINDS[purpose.kind] && body.subarray(21).equals(userBytes(purpose))
  if (!key || !isOurs) throw new AuthError('webauthn_challenge_not_found')
  const expiresAtMs = body.readUInt32BE(1) * 1000
  if (now.getTime() >= expiresAtMs) throw new AuthError('webauthn_challenge_expired')
  return {
    challenge: challengeOf(key, body),
    spentHash: createHash('sha256').update(body).digest(),
    spentUntil: new Date(expiresAtMs + SPENT_MARGIN_MS),
  }
}

/** SQL: a CTE body that spends the challenge of `:spentHash` and `:spentUntil`. It has no row if it was spent before. */
export const SPEND_CHALLENGE = `insert into auth.spent_tokens (hash, expires_at) values (:spentHash, :spentUntil)
  on conflict do nothing returning hash`

function challengeOf(key: Buffer, body: Buffer): string {
  return hmac(key, 'challenge', body).toString('base64url')
}

function hmac(key: Buffer, label: 'id' | 'challenge', body: Buffer): Buffer {
  return createHmac('sha256', key).update(label).update(body).digest()
}

function userBytes(purpose: Purpose): Buffer {
  return purpose.kind === 'registration' ? Buffer.from(userHandle(purpose.userId), 'base64url') : Buffer.alloc(16)
}

/** The id of a user as an authenticator stores it: base64url of its 16 bytes. */
export function userHandle(userId: string): string {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
}
