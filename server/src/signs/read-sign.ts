import type { FastifyRequest } from 'fastify'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { bearerToken } from '../auth/auth-session/access-token.ts'
import { callerOf } from '../auth/http/caller.ts'
import { createIpBuckets } from '../limits/ip-buckets.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { createLruMap } from '../lru-map.ts'
import { noteSeen, type ReadSign, readSignOfToken } from '../presence/read-sign-states.ts'
import { circlesAt } from '../presence/who-sees.ts'
import { Refusal } from '../refusal.ts'
import { signTokenHash } from './sign-token.ts'

const MAX_KNOWN = 5_000

/** Reads the sign of a secret that a request has. Throws `not_signed_in` if there is none, or not any more. */
export type SignOfToken = (request: FastifyRequest, token: string | null) => Promise<ReadSign>

/**
 * Unknown secrets are limited per IP network, before the database is asked. Known ones are not: the displays of a company share an
 * address with everybody there.
 */
export function createSignOfToken({
  config,
  db,
  limitStore,
  now,
}: Pick<AuthDeps, 'config' | 'db' | 'limitStore' | 'now'>): SignOfToken {
  const known = createLruMap<string, true>(MAX_KNOWN)
  const ipBuckets = createIpBuckets(limitStore)
  const { rule } = LIMITS.wrongSign
  return async (request, token) => {
    const tokenHash = token === null ? null : signTokenHash(token)
    if (!tokenHash) throw new Refusal('not_signed_in')
    const at = now()
    const key = tokenHash.toString('base64')
    const { ip } = callerOf(request, config)
    const isLimited = known.get(key) === undefined
    const waitSeconds = isLimited ? await ipBuckets.take(rule, ip, at) : 0
    if (waitSeconds > 0) throw new Refusal('too_many_attempts', undefined, waitSeconds)
    const refund = () => isLimited && ipBuckets.refund(rule, ip)
    const sign = await readSignOfToken(db, tokenHash, circlesAt(config.circleSize, at), at).catch((error: unknown) => {
      refund()
      throw error
    })
    if (!sign) {
      known.delete(key)
      throw new Refusal('not_signed_in')
    }
    refund()
    known.set(key, true)
    await noteSeen(db, [sign], at)
    return sign
  }
}

/** The secret in the Authorization header; null if there is none. */
export const secretOf = (request: FastifyRequest): string | null => bearerToken(request)
