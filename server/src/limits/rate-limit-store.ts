import { type Backoff, createBackoff } from './backoff.ts'
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

/** A key that counts a wrong guess as a miss. */
export interface GuessKey {
  rule: BackoffRule
  key: string
}

/** The state of all rate limits. One per server: the worker processes of a server share it. */
export interface RateLimitStore {
  /** Takes one token: 0 when allowed, else the seconds until the next token. */
  take(rule: TokenBucketRule, key: string, now: Date): Promise<number>
  /** Puts one token back. */
  refund(rule: TokenBucketRule, key: string): void
  /** Counts a miss for every key and returns 0 if no key has to wait, else the seconds to wait. Atomic. */
  guess(keys: GuessKey[], now: Date): Promise<number>
  /** Removes the last miss. */
  undo(guess: GuessKey): void
  reset(guess: GuessKey): void
}

/** Keeps the counters in the memory of this process, so a restart resets them. */
export function createRateLimitStore(): RateLimitStore {
  const buckets = new Map<string, TokenBucket>()
  const backoffs = new Map<string, Backoff>()

  function bucketOf(rule: TokenBucketRule): TokenBucket {
    const bucket = buckets.get(rule.name) ?? createTokenBucket(rule)
    buckets.set(rule.name, bucket)
    return bucket
  }

  function backoffOf(rule: BackoffRule): Backoff {
    const backOff = backoffs.get(rule.name) ?? createBackoff(rule)
    backoffs.set(rule.name, backOff)
    return backOff
  }

  return {
    take: async (rule, key, now) => bucketOf(rule).take(key, now),
    refund: (rule, key) => bucketOf(rule).refund(key),
    async guess(keys, now) {
      const waitSeconds = Math.max(...keys.map(({ rule, key }) => backoffOf(rule).wait(key, now)))
      if (waitSeconds > 0) return waitSeconds
      for (const { rule, key } of keys) backoffOf(rule).count(key, now)
      return 0
    },
    undo: ({ rule, key }) => backoffOf(rule).undo(key),
    reset: ({ rule, key }) => backoffOf(rule).reset(key),
  }
}
