import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopOnSignal } from '../start/stop-on-signal.ts'
import { startDemo } from './start-demo.ts'
import { thursdayClock } from './thursday.ts'

/** `npm run demo`: a server with sample data in a temporary folder, which is deleted when it stops. */
async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'deeb-demo-'))
  const demo = await startDemo({ env: process.env, dataDir, now: thursdayClock(new Date()) })
  console.log(`The demo runs at ${demo.url}`)
  stopOnSignal(async () => {
    await demo.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
}

main().catch((error: Error) => {
  console.error(`The demo cannot start: ${error.message}`)
  process.exit(1)
})
