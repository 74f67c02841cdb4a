import type { FastifyRequest } from 'fastify'
import type { AuthDeps } from '../auth-deps.ts'
import { bearerToken, type TokenClaims } from '../auth-session/access-token.ts'
import { AuthError, isClients } from './auth-error.ts'
import { bindingOf, readCookie } from './browser-cookie.ts'
import { callerOf } from './caller.ts'

/** Who shows an access token, and what their browser shows beside it. */
export interface Principal extends TokenClaims {
  /** What a session that is bound to the browser's cookie must have; null without a cookie. */
  binding: Buffer | null
}

/**
 * Whom the access token of a request speaks for. Throws `no_authorization`, `bad_jwt` and, past the rate limit of the auth session,
 * `over_request_rate_limit`. The flow's own statement decides whether the session is alive and bound to this browser.
 */
export async function requirePrincipal(auth: AuthDeps, request: FastifyRequest, now: Date): Promise<Principal> {
  return (await limitedPrincipal(auth, request, now)).principal
}

/** The same, and throws `session_not_found` too. */
export async function requireLivePrincipal(auth: AuthDeps, request: FastifyRequest, now: Date): Promise<Principal> {
  const { principal, isAlive } = await limitedPrincipal(auth, request, now)
  if (!isAlive) throw new AuthError('session_not_found')
  return principal
}

async function limitedPrincipal(auth: AuthDeps, request: FastifyRequest, now: Date) {
  const token = bearerToken(request)
  if (token === null) throw new AuthError('no_authorization')
  const bearer = await auth.accessTokens.verify(token, now)
  if (!bearer) throw new AuthError('bad_jwt')
  const principal = principalOf(bearer, request, auth.config.publicUrl)
  const isAlive = (await auth.sessionAlive.check(principal, now)) !== 'none'
  // Neither a copied token without its cookie nor a stolen password uses up what the owner's session has.
  if (isAlive) await auth.limits.takeSignedIn(principal.sessionId, now)
  else await auth.limits.takeDeadToken(callerOf(request, auth.config), now)
  return { principal, isAlive }
}

/**
 * The live auth session that a request comes from, null without one. Throws `over_request_rate_limit`: a session past its
 * rate limit must not pass for none.
 */
export async function findLivePrincipal(auth: AuthDeps, request: FastifyRequest, now: Date): Promise<Principal | null> {
  return requireLivePrincipal(auth, request, now).catch((error: unknown) => {
    if (error instanceof AuthError && error.code !== 'over_request_rate_limit' && isClients(error)) return null
    throw error
  })
}

export function principalOf(bearer: TokenClaims, request: FastifyRequest, publicUrl: string): Principal {
  return { ...bearer, binding: bindingOf(readCookie(request, publicUrl)) }
}
