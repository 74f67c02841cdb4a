import type { FastifyInstance } from 'fastify'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { readConfig } from '../config/config.ts'
import { startServer } from '../start/start-server.ts'
import { DEMO_PATH, demoRoutes } from './demo-page.ts'
import { createVisitors, type Visitors } from './visitors.ts'

/** More than two offices of VISITS. A company takes about 12 MB and three seconds of a processor. */
const MAX_VISITORS = 100

/** The settings of a server that the demo reads. */
const SETTINGS = ['PORT', 'HOST', 'PUBLIC_URL', 'TRUST_PROXY'] as const

/** Switches off what a stranger could use to reach other people or servers. */
const OFF = { SIGN_UP: 'off', WEBHOOKS: 'off', PUSH: 'off' }

interface Start {
  env: NodeJS.ProcessEnv
  /** An empty folder. */
  dataDir: string
  now: () => Date
  maxVisitors?: number
}

/** Starts a server with sample data: each visitor of `url` signs in to a company of their own. */
export async function startDemo({
  env,
  dataDir,
  now,
  maxVisitors = MAX_VISITORS,
}: Start): Promise<{ url: string; stop(): Promise<void> }> {
  const given = Object.fromEntries(SETTINGS.map((name) => [name, env[name]]))
  // Seeding runs slow statements, which nobody needs to see.
  const settings = readConfig({ ...given, ...OFF, DATA_DIR: dataDir, LOG_LEVEL: 'error' })
  const url = settings.publicUrl + DEMO_PATH
  let visitors: Visitors | undefined
  const extend = async (app: FastifyInstance, deps: AuthDeps) => {
    const onError = (error: unknown) => app.log.error(error, 'the demo')
    visitors = await createVisitors(deps, { max: maxVisitors, onError })
    demoRoutes(app, deps, visitors)
  }
  const server = await startServer({ ...settings, demoUrl: url }, { extend, now })
  return {
    url,
    async stop() {
      await visitors?.stop()
      await server.stop()
    },
  }
}
