import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { readConfig } from '../config.ts'
import { startServer } from '../start-server.ts'
import { stopOnSignal } from '../stop-on-signal.ts'
import { DEMO_PATH, demoRoutes } from './demo-page.ts'
import { addressOf, DEMO_NAMES } from './people.ts'
import { createRandom } from './random.ts'
import { seedCompany } from './seed.ts'
import { simulateColleagues } from './simulate-colleagues.ts'
import { thursdayClock } from './thursday.ts'

/** `npm run demo`: a server with sample data in a temporary folder, which is deleted when it stops. */
async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'deeb-demo-'))
  const { PORT } = process.env
  // Seeding runs slow statements, which nobody needs to see.
  const settings = readConfig({ PORT, DATA_DIR: dataDir, LOG_LEVEL: 'error' })
  const config = { ...settings, demoUrl: settings.publicUrl + DEMO_PATH }
  const password = randomBytes(18).toString('base64url')
  const now = thursdayClock(new Date())
  let stopSimulation = () => {}

  const extend = async (app: FastifyInstance, deps: AuthDeps) => {
    const acquaintances = await seedCompany(deps, { password, now: now() })
    await demoRoutes(app, { email: addressOf(DEMO_NAMES[0]), password })
    const report = (error: unknown) => app.log.error(error, 'a colleague could not switch')
    stopSimulation = await simulateColleagues(deps, acquaintances, createRandom(Date.now()), report)
  }
  const server = await startServer(config, { extend, now })
  console.log(`The demo runs at ${config.demoUrl}`)
  stopOnSignal(async () => {
    stopSimulation()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
}

main().catch((error: Error) => {
  console.error(`The demo cannot start: ${error.message}`)
  process.exit(1)
})
