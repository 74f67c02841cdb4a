import type { FastifyRequest } from 'fastify'
import { type Bearer, bearerToken } from '../access-token.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { AuthError } from './auth-error.ts'

/**
 * Whom the access token of a request speaks for. Throws `no_authorization` and `bad_jwt`. Whether the session still
 * lives is for the flow's own statement to say.
 */
export async function requireBearer(auth: AuthDeps, request: FastifyRequest, now: Date): Promise<Bearer> {
  const token = bearerToken(request)
  if (token === null) throw new AuthError('no_authorization')
  const bearer = await auth.accessTokens.verify(token, now)
  if (!bearer) throw new AuthError('bad_jwt')
  return bearer
}
