import type { FastifyRequest } from 'fastify'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { bearerToken } from '../auth/auth-session/access-token.ts'
import { callerOf } from '../auth/http/caller.ts'
import { linkSecretHash } from '../lib/link-secret.ts'
import { Refusal } from '../lib/refusal.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { createSecretLimits } from '../limits/secret-limits.ts'
import { noteSeen, type ReadSign, readSignOfToken } from '../presence/read-sign-states.ts'
import { circlesAt } from '../presence/who-sees.ts'

/** Reads the sign of a secret that a request has, within its limit. Throws `not_signed_in` if there is none, or not any more. */
export type SignOfToken = (request: FastifyRequest, token: string | null) => Promise<ReadSign>

export function createSignOfToken({
  config,
  db,
  limitStore,
  now,
}: Pick<AuthDeps, 'config' | 'db' | 'limitStore' | 'now'>): SignOfToken {
  const limits = createSecretLimits(limitStore, { known: LIMITS.readSign, unknown: LIMITS.wrongSign })
  return async (request, token) => {
    const tokenHash = token === null ? null : linkSecretHash(token)
    if (!tokenHash) throw new Refusal('not_signed_in')
    const at = now()
    const { ip } = callerOf(request, config)
    const sign = await limits.find(tokenHash, ip, at, () =>
      readSignOfToken(db, tokenHash, circlesAt(config.circleSize, at), at),
    )
    if (!sign) throw new Refusal('not_signed_in')
    await noteSeen(db, [sign], at)
    return sign
  }
}

/** The secret in the Authorization header; null if there is none. */
export const secretOf = (request: FastifyRequest): string | null => bearerToken(request)
