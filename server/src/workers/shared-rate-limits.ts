import type { BackoffRule, GuessKey, RateLimitStore, TokenBucketRule } from '../limits/rate-limit-store.ts'
import type { Channel } from './channel.ts'

/** A call of the rate limit store, as a worker sends it to the primary process. */
export type Count =
  | { count: 'take'; rule: TokenBucketRule; key: string; atMs: number }
  | { count: 'refund'; rule: TokenBucketRule; key: string }
  | { count: 'guess'; keys: GuessKey[]; atMs: number }
  | { count: 'undo' | 'reset'; rule: BackoffRule; key: string }

/** For a worker: a rate limit store that calls the one of the primary process, so that all workers share each limit. */
export function createSharedLimitStore({ ask, send }: Channel<Count>): RateLimitStore {
  const asked = (count: Count) => ask(count) as Promise<number>
  return {
    take: (rule, key, now) => asked({ count: 'take', rule, key, atMs: now.getTime() }),
    refund: (rule, key) => send({ count: 'refund', rule, key }),
    guess: (keys, now) => asked({ count: 'guess', keys, atMs: now.getTime() }),
    undo: (guess) => send({ count: 'undo', ...guess }),
    reset: (guess) => send({ count: 'reset', ...guess }),
  }
}

/** For the primary process: runs a worker's call. Resolves with the seconds to wait, or 0. */
export async function countFor(limitStore: RateLimitStore, count: Count): Promise<number> {
  if (count.count === 'take') return limitStore.take(count.rule, count.key, new Date(count.atMs))
  if (count.count === 'guess') return limitStore.guess(count.keys, new Date(count.atMs))
  if (count.count === 'refund') limitStore.refund(count.rule, count.key)
  else limitStore[count.count](count)
  return 0
}
