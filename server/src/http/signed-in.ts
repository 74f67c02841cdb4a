import type { FastifyRequest } from 'fastify'
import type { SignedInActor } from '../actor.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { bearerToken } from '../auth/auth-session/access-token.ts'
import { principalOf } from '../auth/http/principal.ts'
import { Refusal } from '../refusal.ts'

/**
 * Who calls, by the access token. Refuses with `not_signed_in` when there is none, when it is wrong, expired or not
 * ours, when its session has ended, and when it came from another browser than the session's. With
 * `aal2_required` when the person has a second factor and has not shown it. A database that does not answer is an error, not a refusal: nobody is signed
 * out by it.
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
    const bearer = token === null ? null : await accessTokens.verify(token, now())
    if (!bearer) throw new Refusal('not_signed_in')
    const status = await sessionAlive.check(principalOf(bearer, request, config.publicUrl), now())
    if (status === 'none') throw new Refusal('not_signed_in')
    if (status === 'needs-aal2') throw new Refusal('aal2_required')
    return { userId: bearer.userId, sessionId: bearer.sessionId, tokenEndsAtMs: bearer.expiresAtMs }
  }
}
