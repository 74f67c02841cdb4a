import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { RateLimitStore } from '../limits/rate-limit-store.ts'
import { Refusal } from '../refusal.ts'
import { startServer } from '../start-server.ts'
import { stopOnSignal } from '../stop-on-signal.ts'
import { openChannel } from './channel.ts'
import { type Count, createSharedLimitStore } from './shared-rate-limits.ts'

/** What a worker sends to the primary process. */
export type WorkerMessage = Count | 'metrics'

/** Sent to the primary process when this worker listens. */
export interface Ready {
  mailNote: string
}

/** Runs one worker process of a server. `runWorkers` starts it. */
export async function runWorker(config: Config, callLimitStore?: RateLimitStore): Promise<void> {
  const channel = openChannel<WorkerMessage>()
  // Its constructor adds the listeners that send the metrics of this process to the primary one.
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
