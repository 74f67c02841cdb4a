import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { Counters } from '../limits/counters.ts'
import { Refusal } from '../refusal.ts'
import { startServer } from '../start-server.ts'
import { stopOnSignal } from '../stop-on-signal.ts'
import { openChannel } from './channel.ts'
import { type Count, createSharedCounters } from './shared-counters.ts'

/** What a worker asks the first process, or tells it. */
export type Question = Count | 'metrics'

/** What it says to it once it listens. */
export interface Ready {
  mailNote: string
}

/** One of several processes of a server, which runWorkers() has started. */
export async function runWorker(config: Config, callCounters?: Counters): Promise<void> {
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

  const shared = { counters: createSharedCounters(channel), gatherMetrics }
  const server = await startServer(config, { shared, callCounters })
  stopOnSignal(server.stop)
  process.send?.({ mailNote: server.mailNote } satisfies Ready)
}
