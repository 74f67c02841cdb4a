import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../config/config.ts'
import { withSecretFiles } from '../config/secret-files.ts'
import { warningOfNode, warningsOf } from '../config/warnings.ts'
import { printable } from '../lib/printable.ts'
import type { RateLimitStore } from '../limits/rate-limit-store.ts'
import { startServer } from './start-server.ts'
import { stopOnSignal } from './stop-on-signal.ts'

/** Runs the configured server until a signal ends it. */
export async function run(callLimitStore?: RateLimitStore): Promise<void> {
  const env = withSecretFiles(process.env)
  const config = readConfig(env)
  for (const warning of warningsOf(env, config)) console.error(printable(warning))
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'database')))
    console.log(`Creating a database in ${config.dataDir} ...`)
  const server = await startServer(config, { callLimitStore })
  stopOnSignal(server.stop)
  console.log(`deeb runs at ${config.publicUrl}`)
  if (server.firstAccountLink !== null) console.log(`Create the first account: ${server.firstAccountLink}`)
  console.log(server.mailNote)
  console.log(`The data is in ${config.databaseUrl === null ? config.dataDir : 'the PostgreSQL of DATABASE_URL'}`)
  const outdated = warningOfNode(process.version)
  if (outdated !== null) console.error(outdated)
}
