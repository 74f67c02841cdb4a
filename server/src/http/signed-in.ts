import type { FastifyRequest } from 'fastify'
import type { Actor } from '../actor.ts'
import { bearerToken } from '../auth/access-token.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { Refusal } from '../refusal.ts'

/**
 * Who calls, by the access token. Refuses with `not_signed_in` when there is none, when it is wrong, expired or not
 * ours, and when its session has ended. A database that does not answer is an error, not a refusal: nobody is signed
 * out by it.
 */
export function createSignedIn({
  accessTokens,
  sessionAlive,
  now,
}: Pick<AuthDeps, 'accessTokens' | 'sessionAlive' | 'now'>): (request: FastifyRequest) => Promise<Actor> {
  return async (request) => {
    const token = bearerToken(request)
    const bearer = token === null ? null : await accessTokens.verify(token, now())
    if (!bearer || !(await sessionAlive.check(bearer, now()))) throw new Refusal('not_signed_in')
    return { userId: bearer.userId }
  }
}
