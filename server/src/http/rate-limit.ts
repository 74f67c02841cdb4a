import type { ErrorCode } from '@deeb/core/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../auth/http/caller.ts'
import type { Config } from '../config/config.ts'
import { DatabaseOutage } from '../db/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { createIpBuckets } from '../limits/ip-buckets.ts'
import { type Buckets, createRateLimit } from '../limits/rate-limit.ts'
import type { TokenBucketRule } from '../limits/rate-limit-store.ts'

/** Route hooks that enforce a rate limit. Routes with the same rule share their token buckets. */
export interface LimitHooks {
  /** Takes a token before the body is read. Refuses with `too_many_attempts` and `Retry-After`. */
  onRequest(request: FastifyRequest): Promise<void>
  /** Refunds the token if the database was not there. No other failure does: a caller could cause it on purpose. */
  onError(request: FastifyRequest, reply: FastifyReply, error: Error): Promise<void>
}

/** The limit of requests by one rule. */
interface RequestLimit {
  /** Takes a token of `key`. Refuses with `too_many_attempts` and `Retry-After`. */
  take(request: FastifyRequest, key: string): void
  /** Refunds the token of a request whose error is that the database was not there. */
  refundAfter(error: Error, request: FastifyRequest): void
}

export type LimitRequests = (rule: TokenBucketRule) => RequestLimit

/** Limits requests by `rule` per IP network. */
export type LimitIps = (rule: TokenBucketRule) => LimitHooks

/** Does `work` with a token of `rule`, which an error refunds: only what was done counts. Refuses with `code` and `Retry-After`. */
export type WithinLimit = <T>(
  rule: TokenBucketRule,
  key: string,
  work: () => Promise<T>,
  code?: ErrorCode,
) => Promise<T>

export function createLimitRequests(buckets: Buckets, now: () => Date): LimitRequests {
  return (rule) => {
    const { take, refundAfter } = createRateLimit(buckets, rule, {
      refusal: (waitSeconds) => new Refusal('too_many_attempts', undefined, waitSeconds),
      isRefunded: (error) => error instanceof DatabaseOutage,
    })
    const keys = new WeakMap<FastifyRequest, string>()
    return {
      take(request, key) {
        take(key, now())
        keys.set(request, key)
      },
      refundAfter(error, request) {
        const key = keys.get(request)
        if (key !== undefined) refundAfter(error, key)
      },
    }
  }
}

export function createLimitIps(config: Pick<Config, 'publicUrl'>, buckets: Buckets, now: () => Date): LimitIps {
  const limitRequests = createLimitRequests(createIpBuckets(buckets), now)
  return (rule) => {
    const limit = limitRequests(rule)
    return {
      onRequest: async (request) => limit.take(request, callerOf(request, config).ip),
      onError: async (request, _reply, error) => limit.refundAfter(error, request),
    }
  }
}

export function createWithinLimit(buckets: Buckets, now: () => Date): WithinLimit {
  return (rule, key, work, code = 'too_many_attempts') =>
    createRateLimit(buckets, rule, {
      refusal: (waitSeconds) => new Refusal(code, undefined, waitSeconds),
      isRefunded: () => true,
    }).limit(key, now(), work)
}
