import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../auth/door/caller.ts'
import { addressKey } from '../auth/limits/address.ts'
import { createBucket } from '../auth/limits/bucket.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../refusal.ts'

/** So often may one address do it: `burst` at once, and as many again in `seconds`. An office shares an address. */
export interface AddressLimit {
  burst: number
  seconds: number
}

/** Counts the request, or refuses with `too_many_attempts` and says in Retry-After when it may come again. */
export type TakeFromLimit = (request: FastifyRequest, reply: FastifyReply, now: Date) => void

export type LimitByAddress = (limit: AddressLimit) => TakeFromLimit

/** A limit that several routes name is one, which all of them use up. */
export function limitsByAddress(config: Pick<Config, 'publicUrl'>): LimitByAddress {
  const made = new Map<AddressLimit, TakeFromLimit>()
  return (limit) => {
    const take = made.get(limit) ?? limitByAddress(limit, config)
    made.set(limit, take)
    return take
  }
}

/** In memory, like the limits of the account service. */
function limitByAddress(limit: AddressLimit, config: Pick<Config, 'publicUrl'>): TakeFromLimit {
  const bucket = createBucket(limit)
  return (request, reply, now) => {
    const waitSeconds = bucket.take(addressKey(callerOf(request, config).ip), now)
    if (waitSeconds === 0) return
    reply.header('retry-after', String(waitSeconds))
    throw new Refusal('too_many_attempts')
  }
}
