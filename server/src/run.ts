import cluster from 'node:cluster'
import { readConfig } from './config.ts'
import type { Counters } from './limits/counters.ts'
import { startServer } from './start-server.ts'
import { stopOnSignal } from './stop-on-signal.ts'
import { runWorkers } from './workers/run-workers.ts'
import { runWorker } from './workers/worker.ts'

/** Runs the server of the environment until a signal ends it. `program` is the file that calls this, for its workers. */
export async function run(program: string, callCounters?: Counters): Promise<void> {
  const config = readConfig(process.env)
  const isOneOfMany = config.webConcurrency > 1
  if (isOneOfMany && cluster.isWorker) return runWorker(config, callCounters)
  const server = isOneOfMany
    ? await runWorkers(config.webConcurrency, program)
    : await startServer(config, { callCounters })
  stopOnSignal(server.stop)
  console.log(`deeb runs at ${config.publicUrl}`)
  console.log(server.mailNote)
}
