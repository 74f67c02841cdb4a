import cluster from 'node:cluster'
import { readConfig } from './config.ts'
import type { RateLimitStore } from './limits/rate-limit-store.ts'
import { startServer } from './start-server.ts'
import { stopOnSignal } from './stop-on-signal.ts'
import { runWorkers } from './workers/run-workers.ts'
import { runWorker } from './workers/worker.ts'

/** Runs the configured server until a signal ends it. `program` is the calling file, which worker processes run too. */
export async function run(program: string, callLimitStore?: RateLimitStore): Promise<void> {
  const config = readConfig(process.env)
  const isOneOfMany = config.webConcurrency > 1
  if (isOneOfMany && cluster.isWorker) return runWorker(config, callLimitStore)
  const server = isOneOfMany
    ? await runWorkers(config.webConcurrency, program)
    : await startServer(config, { callLimitStore })
  stopOnSignal(server.stop)
  console.log(`deeb runs at ${config.publicUrl}`)
  console.log(server.mailNote)
}
