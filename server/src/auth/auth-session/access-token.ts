import type { FastifyRequest } from 'fastify'
import { errors, type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose'
import type { Keys } from '../../config/keys.ts'
import { createLruMap } from '../../lib/lru-map.ts'

export const ACCESS_TOKEN_SECONDS = 3600

const AUDIENCE = 'authenticated'
const CACHED_TOKENS = 5_000

/** The user and auth session of a valid access token. Company and permissions always come from the database. */
export interface TokenClaims {
  userId: string
  sessionId: string
}

/** The user and auth session of a request, from its access token and cookie. */
export interface Principal extends TokenClaims {
  /** The hash of the browser's cookie, which must match that of a bound auth session; null without a cookie. */
  binding: Buffer | null
}

/** The claims of an access token in addition to the standard ones. */
export interface AccessClaims extends TokenClaims {
  email: string
  appMetadata: unknown
  userMetadata: unknown
  aal: string
  amr: unknown
}

export interface AccessTokens {
  sign(claims: AccessClaims, now: Date): Promise<string>
  /** Null if the token is not ours or not valid at `now`. Does not check its auth session. */
  verify(token: string, now: Date): Promise<(TokenClaims & { expiresAtMs: number }) | null>
}

export function createAccessTokens(keys: Keys, publicUrl: string): AccessTokens {
  const issuer = `${publicUrl}/auth/v1`
  // An LRU cache of valid tokens. The whole token is the key, so that a token with one changed character is a miss.
  const verified = createLruMap<string, TokenClaims & { expiresAtMs: number }>(CACHED_TOKENS)

  return {
    sign: (claims, now) => sign(keys, issuer, claims, now),
    async verify(token, now) {
      const known = verified.get(token)
      if (known) return known.expiresAtMs > now.getTime() ? known : null
      const found = await check(keys, issuer, token, now)
      if (!found) return null
      verified.set(token, found)
      return found
    },
  }
}

/** The token of `Authorization: Bearer <token>`, or null. */
export function bearerToken(request: FastifyRequest): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}

function sign(keys: Keys, issuer: string, claims: AccessClaims, now: Date): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000)
  return new SignJWT({
    email: claims.email,
    phone: '',
    app_metadata: claims.appMetadata,
    user_metadata: claims.userMetadata,
    role: 'authenticated',
    aal: claims.aal,
    amr: claims.amr,
    session_id: claims.sessionId,
    is_anonymous: false,
  })
    .setProtectedHeader({ alg: 'ES256', kid: keys.signing.kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(claims.userId)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
    .sign(keys.signing.privateKey)
}

async function check(keys: Keys, issuer: string, token: string, now: Date) {
  try {
    const { payload } = await jwtVerify<{ session_id: string }>(token, (header) => publicKey(keys, header), {
      algorithms: ['ES256'],
      issuer,
      audience: AUDIENCE,
      currentDate: now,
      requiredClaims: ['exp', 'sub', 'session_id'],
    })
    if (!payload.sub || !payload.exp) return null
    return { userId: payload.sub, sessionId: payload.session_id, expiresAtMs: payload.exp * 1000 }
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

function publicKey(keys: Keys, { kid }: JWTHeaderParameters) {
  const key = keys.publicKeys.get(kid ?? '')
  if (!key) throw new errors.JWKSNoMatchingKey()
  return key
}
