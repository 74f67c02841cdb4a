import type { FastifyRequest } from 'fastify'
import type { SignedInActor } from '../actor.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { bearerToken } from '../auth/auth-session/access-token.ts'
import { principalOf } from '../auth/http/principal.ts'
import { Refusal } from '../refusal.ts'

/** The calls that also work without a second factor that the company requires: how to sign in, and one's own data. */
const ACCOUNT_PATH = '/api/account/'

/**
 * Authenticates a request by its access token. Refuses with `not_signed_in` if the token is missing, invalid or expired, if its
 * auth session has ended, or if the session is bound to another browser; with `aal2_required` if the second factor is missing, and with
 * `second_factor_required` if the company requires one and the account has none.
 * An unreachable database is an error, not a refusal: it must sign nobody out.
 */
export function createSignedIn({
  accessTokens,
  config,
  sessionAlive,
  now,
}: Pick<AuthDeps, 'accessTokens' | 'config' | 'sessionAlive' | 'now'>): (
  request: FastifyRequest,
) => Promise<SignedInActor> {
  return async (request) => {
    const token = bearerToken(request)
    const claims = token === null ? null : await accessTokens.verify(token, now())
    if (!claims) throw new Refusal('not_signed_in')
    const status = await sessionAlive.check(principalOf(claims, request, config.publicUrl), now())
    if (status === 'none') throw new Refusal('not_signed_in')
    if (status === 'needs-aal2') throw new Refusal('aal2_required')
    if (status === 'needs-factor' && !request.routeOptions.url?.startsWith(ACCOUNT_PATH)) {
      throw new Refusal('second_factor_required')
    }
    return { userId: claims.userId, sessionId: claims.sessionId, tokenEndsAtMs: claims.expiresAtMs }
  }
}
