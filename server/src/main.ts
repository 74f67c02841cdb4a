import { readConfig } from './config.ts'
import { startServer } from './start-server.ts'
import { stopOnSignal } from './stop-on-signal.ts'

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const server = await startServer(config)
  console.log(`deeb runs at ${config.publicUrl}`)
  console.log(server.mailNote)
  stopOnSignal(server.stop)
}

main().catch((error: Error) => {
  console.error(`deeb cannot start: ${error.message}`)
  process.exit(1)
})
