import type { Scope } from '@deeb/core/scopes'
import type { FastifyRequest } from 'fastify'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { bearerToken } from '../auth/auth-session/access-token.ts'
import { callerOf } from '../auth/http/caller.ts'
import { principalOf } from '../auth/http/principal.ts'
import { isPersonalToken } from '../auth/personal-tokens/token-format.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

/** Authenticates a request. `scopes` are those of personal access tokens that are enough; without one, no such token is. */
export type SignedIn = (request: FastifyRequest, scopes?: readonly Scope[]) => Promise<SignedInActor>

/** The calls that also work without a second factor that the company requires: how to sign in, and one's own data. */
const ACCOUNT_PATH = '/api/account/'

/**
 * Authenticates a request by its access token. Refuses with `not_signed_in` if the token is missing, invalid or expired, if its
 * auth session has ended, or if the session is bound to another browser; with `aal2_required` if the second factor is missing, and with
 * `second_factor_required` if the company requires one and the account has none. A personal access token is refused with `scope_needed`
 * unless it has one of `scopes`, and by every route that names none.
 * An unreachable database is an error, not a refusal: it must sign nobody out.
 */
export function createSignedIn({
  accessTokens,
  config,
  sessionAlive,
  tokenAlive,
  now,
}: Pick<AuthDeps, 'accessTokens' | 'config' | 'sessionAlive' | 'tokenAlive' | 'now'>): SignedIn {
  return async (request, scopes = []) => {
    const token = bearerToken(request)
    if (token !== null && isPersonalToken(token)) return byPersonalToken(token, callerOf(request, config).ip, scopes)
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

  async function byPersonalToken(bearer: string, ip: string, wanted: readonly Scope[]): Promise<SignedInActor> {
    const token = await tokenAlive.check(bearer, ip, now())
    if (!token) throw new Refusal('not_signed_in')
    if (token.needsFactor) throw new Refusal('second_factor_required')
    const { id, userId, scopes, expiresAt } = token
    if (!wanted.some((scope) => scopes.includes(scope))) throw new Refusal('scope_needed')
    return { userId, sessionId: id, tokenEndsAtMs: expiresAt.getTime(), scopes }
  }
}
