import type { FastifyRequest } from 'fastify'
import { type Bearer, bearerToken } from '../access-token.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { AuthError, isClients } from './auth-error.ts'
import { bindingOf, readCookie } from './browser-cookie.ts'

/** Who shows an access token, and what their browser shows beside it. */
export interface Holder extends Bearer {
  /** What a session that is bound to the browser's cookie must have; null without a cookie. */
  binding: Buffer | null
}

/**
 * Whom the access token of a request speaks for. Throws `no_authorization` and `bad_jwt`. Whether the session still
 * lives, and whether it is bound to this browser, is for the flow's own statement to say.
 */
export async function requireBearer(auth: AuthDeps, request: FastifyRequest, now: Date): Promise<Holder> {
  const token = bearerToken(request)
  if (token === null) throw new AuthError('no_authorization')
  const bearer = await auth.accessTokens.verify(token, now)
  if (!bearer) throw new AuthError('bad_jwt')
  return holderOf(bearer, request, auth.config.publicUrl)
}

/**
 * The same, for what is limited per person: whoever copied a token but not the cookie must not use up the owner's tries.
 * Throws `session_not_found` too.
 */
export async function requireLiveBearer(auth: AuthDeps, request: FastifyRequest, now: Date): Promise<Holder> {
  const holder = await requireBearer(auth, request, now)
  if ((await auth.sessionAlive.check(holder, now)) === 'none') throw new AuthError('session_not_found')
  return holder
}

/** The live auth session that a request comes from, where none is needed: null without one, whatever the reason. */
export async function findLiveBearer(auth: AuthDeps, request: FastifyRequest, now: Date): Promise<Holder | null> {
  return requireLiveBearer(auth, request, now).catch((error: unknown) => {
    if (isClients(error)) return null
    throw error
  })
}

export function holderOf(bearer: Bearer, request: FastifyRequest, publicUrl: string): Holder {
  return { ...bearer, binding: bindingOf(readCookie(request, publicUrl)) }
}
