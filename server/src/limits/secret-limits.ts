import { createLruMap } from '../lib/lru-map.ts'
import { Refusal } from '../lib/refusal.ts'
import { createIpBuckets } from './ip-buckets.ts'
import type { RateLimitStore, TokenBucketRule } from './rate-limit-store.ts'

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
  limitStore: Pick<RateLimitStore, 'take' | 'refund'>,
  { known, unknown }: { known?: TokenBucketRule; unknown: TokenBucketRule },
): SecretLimits {
  const hasWorked = createLruMap<string, true>(MAX_KNOWN)
  const ipBuckets = createIpBuckets(limitStore)

  const keyOf = (tokenHash: Buffer) => tokenHash.toString('base64')
  const takeOwn = async (key: string, now: Date) => (known ? limitStore.take(known, key, now) : 0)

  return {
    async find(tokenHash, ip, now, find) {
      const key = keyOf(tokenHash)
      const isKnown = hasWorked.get(key) !== undefined
      refuseAfter(await (isKnown ? takeOwn(key, now) : ipBuckets.take(unknown, ip, now)))
      const refund = () => (isKnown ? known && limitStore.refund(known, key) : ipBuckets.refund(unknown, ip))
      const found = await find().catch((error: unknown) => {
        refund()
        throw error
      })
      if (found === null) {
        hasWorked.delete(key)
        return null
      }
      if (!isKnown) {
        refund()
        hasWorked.set(key, true)
        await takeOwn(key, now)
      }
      return found
    },
    know: (tokenHash) => hasWorked.set(keyOf(tokenHash), true),
  }
}

function refuseAfter(waitSeconds: number): void {
  if (waitSeconds > 0) throw new Refusal('too_many_attempts', undefined, waitSeconds)
}
