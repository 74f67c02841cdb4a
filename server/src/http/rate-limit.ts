import type { ErrorCode } from '@deeb/core/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../auth/http/caller.ts'
import type { Config } from '../config/config.ts'
import { DatabaseOutage } from '../db/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { createIpBuckets } from '../limits/ip-buckets.ts'
import type { RateLimitStore, TokenBucketRule } from '../limits/rate-limit-store.ts'

/** Route hooks that enforce a rate limit. Routes with the same rule share their token buckets. */
export interface RateLimitHooks {
  /** Takes a token before the body is read. Refuses with `too_many_attempts` and `Retry-After`. */
  onRequest(request: FastifyRequest): Promise<void>
  /** Refunds the token if the database was not there. No other failure does: a caller could cause it on purpose. */
  onError(request: FastifyRequest, reply: FastifyReply, error: Error): Promise<void>
}

/** Enforces `rule` per key; null is not limited. `keyOf` may refuse the request, which then takes no token. */
export type RateLimit = (
  rule: TokenBucketRule,
  keyOf: (request: FastifyRequest) => Promise<string | null>,
) => RateLimitHooks

/** Enforces `rule` per IP network. */
export type IpRateLimit = (rule: TokenBucketRule) => RateLimitHooks

/** Does `work` with a token of `rule`, which an error refunds: only what was done counts. Refuses with `code` and `Retry-After`. */
export type WithinLimit = <T>(
  rule: TokenBucketRule,
  key: string,
  work: () => Promise<T>,
  code?: ErrorCode,
) => Promise<T>

type Buckets = Pick<RateLimitStore, 'take' | 'refund'>

export function createRateLimit(buckets: Buckets, now: () => Date): RateLimit {
  return (rule, keyOf) => {
    const keys = new WeakMap<FastifyRequest, string>()
    return {
      async onRequest(request) {
        const key = await keyOf(request)
        if (key === null) return
        await take(buckets, rule, key, now())
        keys.set(request, key)
      },
      async onError(request, _reply, error) {
        const key = keys.get(request)
        if (key !== undefined && error instanceof DatabaseOutage) buckets.refund(rule, key)
      },
    }
  }
}

export function createWithinLimit(buckets: Buckets, now: () => Date): WithinLimit {
  return async (rule, key, work, code) => {
    await take(buckets, rule, key, now(), code)
    try {
      return await work()
    } catch (error) {
      buckets.refund(rule, key)
      throw error
    }
  }
}

async function take(
  buckets: Buckets,
  rule: TokenBucketRule,
  key: string,
  now: Date,
  code: ErrorCode = 'too_many_attempts',
): Promise<void> {
  const waitSeconds = await buckets.take(rule, key, now)
  if (waitSeconds > 0) throw new Refusal(code, undefined, waitSeconds)
}

export function createIpRateLimit(
  config: Pick<Config, 'publicUrl'>,
  limitStore: RateLimitStore,
  now: () => Date,
): IpRateLimit {
  const limit = createRateLimit(createIpBuckets(limitStore), now)
  return (rule) => limit(rule, async (request) => callerOf(request, config).ip)
}
