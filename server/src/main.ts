import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { readConfig } from './config.ts'
import { startServer } from './start-server.ts'
import { stopOnSignal } from './stop-on-signal.ts'
import { runWorkers } from './workers/run-workers.ts'
import { runWorker } from './workers/worker.ts'

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const isOneOfMany = config.webConcurrency > 1
  if (isOneOfMany && cluster.isWorker) return runWorker(config)
  const server = isOneOfMany
    ? await runWorkers(config.webConcurrency, fileURLToPath(import.meta.url))
    : await startServer(config)
  stopOnSignal(server.stop)
  console.log(`deeb runs at ${config.publicUrl}`)
  console.log(server.mailNote)
}

main().catch((error: Error) => {
  console.error(`deeb cannot start: ${error.message}`)
  process.exit(1)
})
