import type { FastifyRequest } from 'fastify'
import type { AuthDeps } from '../auth-deps.ts'
import { bearerToken, type Principal, type TokenClaims } from '../auth-session/access-token.ts'
import { AuthError, isClients } from './auth-error.ts'
import { bindingOf, readCookie } from './browser-cookie.ts'
import { callerOf } from './caller.ts'

/**
 * The principal of a request. Throws `no_authorization`, `bad_jwt`, and `over_request_rate_limit` above the rate limit of the auth
 * session. Does not require a live auth session: the statement of each flow checks that with IS_PRINCIPALS.
 */
export async function requirePrincipal(auth: AuthDeps, request: FastifyRequest, now: Date): Promise<Principal> {
  return (await limitedPrincipal(auth, request, now)).principal
}

/** The principal of a request with a live auth session. Also throws `session_not_found`. */
export async function requireLivePrincipal(auth: AuthDeps, request: FastifyRequest, now: Date): Promise<Principal> {
  const { principal, isAlive } = await limitedPrincipal(auth, request, now)
  if (!isAlive) throw new AuthError('session_not_found')
  return principal
}

async function limitedPrincipal(auth: AuthDeps, request: FastifyRequest, now: Date) {
  const token = bearerToken(request)
  if (token === null) throw new AuthError('no_authorization')
  const claims = await auth.accessTokens.verify(token, now)
  if (!claims) throw new AuthError('bad_jwt')
  const principal = principalOf(claims, request, auth.config.publicUrl)
  const isAlive = (await auth.sessionAlive.check(principal, now)) !== 'none'
  // A request that fails this check has a limit of its own: a thief with a copied token must not use up the owner's limit.
  if (isAlive) auth.limits.takeSignedIn(principal.sessionId, now)
  else auth.limits.takeDeadToken(callerOf(request, auth.config), now)
  return { principal, isAlive }
}

/**
 * The principal of a request with a live auth session, else null. Throws `over_request_rate_limit`: an auth session above its rate
 * limit must not be treated as absent.
 */
export async function findLivePrincipal(auth: AuthDeps, request: FastifyRequest, now: Date): Promise<Principal | null> {
  return requireLivePrincipal(auth, request, now).catch((error: unknown) => {
    if (error instanceof AuthError && error.code !== 'over_request_rate_limit' && isClients(error)) return null
    throw error
  })
}

export function principalOf(claims: TokenClaims, request: FastifyRequest, publicUrl: string): Principal {
  return { ...claims, binding: bindingOf(readCookie(request, publicUrl)) }
}
