import type { RateLimitStore, TokenBucketRule } from './rate-limit-store.ts'

/** Token buckets by key, such as those of a RateLimitStore or per IP network. */
export type Buckets = Pick<RateLimitStore, 'take' | 'refund'>

/** One rule, with a token bucket per key. */
export interface RateLimit {
  /** Throws the refusal when the bucket is empty. */
  take(key: string, now: Date): void
  refund(key: string): void
  /** Refunds the token of work that ended with `error`, if such an error is refunded. */
  refundAfter(error: unknown, key: string): void
  /** Takes a token and does `work`. */
  limit<T>(key: string, now: Date, work: () => Promise<T>): Promise<T>
  /** The same for a guess: a right guess refunds the token too, so that only a brute force empties the bucket. */
  limitGuess<T>(key: string, now: Date, work: () => Promise<T>): Promise<T>
}

interface Answers {
  /** The error with which callers are refused, with the seconds until the next token. */
  refusal(waitSeconds: number): Error
  /** Whether an error of the work refunds its token. A caller who can cause such an error tries for free. */
  isRefunded(error: unknown): boolean
}

export function createRateLimit(buckets: Buckets, rule: TokenBucketRule, { refusal, isRefunded }: Answers): RateLimit {
  function take(key: string, now: Date): void {
    const waitSeconds = buckets.take(rule, key, now)
    if (waitSeconds > 0) throw refusal(waitSeconds)
  }
  const refund = (key: string) => buckets.refund(rule, key)
  const refundAfter = (error: unknown, key: string) => {
    if (isRefunded(error)) refund(key)
  }

  async function limit<T>(key: string, now: Date, work: () => Promise<T>): Promise<T> {
    take(key, now)
    try {
      return await work()
    } catch (error) {
      refundAfter(error, key)
      throw error
    }
  }

  return {
    take,
    refund,
    refundAfter,
    limit,
    async limitGuess(key, now, work) {
      const right = await limit(key, now, work)
      refund(key)
      return right
    },
  }
}
