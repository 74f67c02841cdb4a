import type { BackOffRule, BucketRule, Counters, Tally } from '../auth/limits/counters.ts'
import type { Channel } from './channel.ts'

/** A call of Counters, as it goes from a worker to the first process. */
export type Count =
  | { count: 'take'; rule: BucketRule; key: string; atMs: number }
  | { count: 'giveBack'; rule: BucketRule; key: string }
  | { count: 'guess'; tallies: Tally[]; atMs: number }
  | { count: 'undo' | 'forget'; rule: BackOffRule; key: string }

/** For a worker: the counters of the first process, so that each limit is one for all workers. */
export function createSharedCounters({ ask, tell }: Channel<Count>): Counters {
  const asked = (count: Count) => ask(count) as Promise<number>
  return {
    take: (rule, key, now) => asked({ count: 'take', rule, key, atMs: now.getTime() }),
    giveBack: (rule, key) => tell({ count: 'giveBack', rule, key }),
    guess: (tallies, now) => asked({ count: 'guess', tallies, atMs: now.getTime() }),
    undo: (tally) => tell({ count: 'undo', ...tally }),
    forget: (tally) => tell({ count: 'forget', ...tally }),
  }
}

/** For the first process: does what a worker called, and gives the seconds to wait where there are any. */
export async function countFor(counters: Counters, count: Count): Promise<number> {
  if (count.count === 'take') return counters.take(count.rule, count.key, new Date(count.atMs))
  if (count.count === 'guess') return counters.guess(count.tallies, new Date(count.atMs))
  if (count.count === 'giveBack') counters.giveBack(count.rule, count.key)
  else counters[count.count](count)
  return 0
}
