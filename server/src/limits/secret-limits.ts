import { createLruMap } from '../lib/lru-map.ts'
import { Refusal } from '../lib/refusal.ts'
import { createIpBuckets } from './ip-buckets.ts'
import { type Buckets, createRateLimit } from './rate-limit.ts'
import type { TokenBucketRule } from './rate-limit-store.ts'

const MAX_KNOWN = 10_000

/** Limits what callers with a secret may ask, by its hash. */
export interface SecretLimits {
  /**
   * Calls `find`, which reads what the secret opens: null if it opens nothing. Throws `too_many_attempts` before anything is read.
   * A failure of `find` costs no limit.
   */
  find<Found>(tokenHash: Buffer, ip: string, now: Date, find: () => Promise<Found | null>): Promise<Found | null>
  /** The secret with this hash counts as one that has worked. */
  know(tokenHash: Buffer): void
}

/**
 * A secret that has worked in this process is limited by `known` alone, if there is such a limit, because many people share an address,
 * and a cloud has the addresses of many companies. Any other is limited by `unknown` per IP network, so that guesses cost few queries.
 */
export function createSecretLimits(
  limitStore: Buckets,
  { known, unknown }: { known?: TokenBucketRule; unknown: TokenBucketRule },
): SecretLimits {
  const hasWorked = createLruMap<string, true>(MAX_KNOWN)
  const answers = {
    refusal: (waitSeconds: number) => new Refusal('too_many_attempts', undefined, waitSeconds),
    isRefunded: () => true,
  }
  const knownLimit = known && createRateLimit(limitStore, known, answers)
  const unknownLimit = createRateLimit(createIpBuckets(limitStore), unknown, answers)

  const keyOf = (tokenHash: Buffer) => tokenHash.toString('base64')

  return {
    async find(tokenHash, ip, now, find) {
      const key = keyOf(tokenHash)
      if (hasWorked.get(key) !== undefined) {
        const found = await (knownLimit ? knownLimit.limit(key, now, find) : find())
        if (found === null) hasWorked.delete(key)
        return found
      }
      const found = await unknownLimit.limit(ip, now, find)
      if (found === null) return null
      unknownLimit.refund(ip)
      hasWorked.set(key, true)
      knownLimit?.take(key, now)
      return found
    },
    know: (tokenHash) => hasWorked.set(keyOf(tokenHash), true),
  }
}
