import { createTokenBucket, type TokenBucket } from './token-bucket.ts'

/** `burst` requests immediately, refilled evenly over `seconds`. Rules of one name share their buckets. */
export interface TokenBucketRule {
  name: string
  burst: number
  seconds: number
}

/** `free` misses cost nothing, the next ones 1, 2, 4 ... `maxSeconds`. Rules of one name share their misses. */
export interface BackoffRule {
  name: string
  free: number
  maxSeconds: number
}

/** The state of all token buckets. One per server. */
export interface RateLimitStore {
  /** Takes one token: 0 when allowed, else the seconds until the next token. */
  take(rule: TokenBucketRule, key: string, now: Date): number
  /** Puts one token back. */
  refund(rule: TokenBucketRule, key: string): void
}

/** Keeps the counters in the memory of this process, so a restart resets them. */
export function createRateLimitStore(): RateLimitStore {
  const buckets = new Map<string, TokenBucket>()

  function bucketOf(rule: TokenBucketRule): TokenBucket {
    const bucket = buckets.get(rule.name) ?? createTokenBucket(rule)
    buckets.set(rule.name, bucket)
    return bucket
  }

  return {
    take: (rule, key, now) => bucketOf(rule).take(key, now),
    refund: (rule, key) => bucketOf(rule).refund(key),
  }
}
