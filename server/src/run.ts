import { readConfig } from './config.ts'
import type { RateLimitStore } from './limits/rate-limit-store.ts'
import { printable } from './printable.ts'
import { startServer } from './start-server.ts'
import { stopOnSignal } from './stop-on-signal.ts'
import { warningsOf } from './warnings.ts'

/** Runs the configured server until a signal ends it. */
export async function run(callLimitStore?: RateLimitStore): Promise<void> {
  const config = readConfig(process.env)
  for (const warning of warningsOf(process.env, config)) console.error(printable(warning))
  const server = await startServer(config, { callLimitStore })
  stopOnSignal(server.stop)
  console.log(`deeb runs at ${config.publicUrl}`)
  if (server.isNew) console.log(`A new database was created in ${config.dataDir}`)
  console.log(server.mailNote)
}
