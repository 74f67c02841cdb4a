import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../auth/door/caller.ts'
import type { Config } from '../config.ts'
import type { Counters, TokenBucketRule } from '../limits/counters.ts'
import { ipNetwork } from '../limits/ip-network.ts'
import { Refusal } from '../refusal.ts'

/** So often may one address do it. An office shares an address. Routes that name the same limit use it up together. */
export type AddressLimit = TokenBucketRule

/** Counts the request, or refuses with `too_many_attempts` and says in Retry-After when it may come again. */
export type TakeFromLimit = (request: FastifyRequest, reply: FastifyReply, now: Date) => Promise<void>

export type LimitByAddress = (limit: AddressLimit) => TakeFromLimit

export function limitsByAddress(config: Pick<Config, 'publicUrl'>, counters: Counters): LimitByAddress {
  return (limit) => async (request, reply, now) => {
    const waitSeconds = await counters.take(limit, ipNetwork(callerOf(request, config).ip), now)
    if (waitSeconds === 0) return
    reply.header('retry-after', String(waitSeconds))
    throw new Refusal('too_many_attempts')
  }
}
