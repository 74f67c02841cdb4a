import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { RateLimitStore } from '../limits/rate-limit-store.ts'
import { Refusal } from '../refusal.ts'
import { startServer } from '../start-server.ts'
import { stopOnSignal } from '../stop-on-signal.ts'
import { openChannel } from './channel.ts'
import { type Count, createSharedLimitStore } from './shared-rate-limits.ts'

/** What a worker asks the first process, or tells it. */
export type Question = Count | 'metrics'

/** What it says to it once it listens. */
export interface Ready {
  mailNote: string
}

/** One of several processes of a server, which runWorkers() has started. */
export async function runWorker(config: Config, callLimitStore?: RateLimitStore): Promise<void> {
  const channel = openChannel<Question>()
  // Made for the listeners that come with it: they answer the first process when it gathers.
  new AggregatorRegistry()

  function gatherMetrics(own: Registry) {
    AggregatorRegistry.setRegistries(own)
    return async () => {
      const text = await channel.ask('metrics')
      if (typeof text !== 'string') throw new Refusal('unavailable')
      return text
    }
  }

  const shared = { limitStore: createSharedLimitStore(channel), gatherMetrics }
  const server = await startServer(config, { shared, callLimitStore })
  stopOnSignal(server.stop)
  process.send?.({ mailNote: server.mailNote } satisfies Ready)
}
