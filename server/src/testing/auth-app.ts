import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { type AuthDeps, createAuthDeps } from '../auth/auth-deps.ts'
import { authRoutes } from '../auth/routes.ts'
import type { Config } from '../config/config.ts'
import { deriveKeys } from '../config/keys.ts'
import { DatabaseOutage, type Db } from '../db/db.ts'
import { allowOwnOrigins, answerPreflights } from '../http/cors.ts'
import { answerErrors } from '../http/errors.ts'
import { createSendNotFoundPage } from '../http/not-found-page.ts'
import { sendSecurityHeaders } from '../http/security-headers.ts'
import { createSendCached } from '../http/send-cached.ts'
import { validateInputs } from '../http/serve.ts'
import { createSignedIn } from '../http/signed-in.ts'
import { createRateLimitStore } from '../limits/rate-limit-store.ts'
import type { Defer } from '../mail/delivery.ts'
import { createMailer, type Mailer } from '../mail/mailer.ts'
import { outboxRoutes } from '../mail/outbox-page.ts'
import { readTestConfig } from './test-config.ts'
import { openTestDatabase } from './test-database.ts'
import { WEB_ROOT } from './web-root.ts'

/** The auth service alone, on a new database and with its outbox in a new folder. */
export interface AuthApp {
  app: FastifyInstance
  auth: AuthDeps
  config: Config
  mailer: Mailer
  clock: Clock
  /** The log lines of the mailer. */
  log: string[]
  /** Fault injection: while `isOn`, every query of the service fails as if the database were down. */
  outage: { isOn: boolean }
  /** The names of the executed statements, in order. */
  statements: string[]
  close(): Promise<void>
}

/** A fake clock. Each reading advances it by one millisecond, so that all timestamps are distinct. */
interface Clock {
  now(): Date
  pass(seconds: number): void
}

/** Starts the auth service. Email is sent immediately, unless `defer` delays it. */
export async function openAuthApp(env: NodeJS.ProcessEnv = {}, defer: Defer = (send) => send()): Promise<AuthApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'deeb-auth-'))
  const database = await openTestDatabase()
  const outage = { isOn: false }
  const config = readTestConfig({ DATA_DIR: dataDir, ...env })
  const clock = createClock()
  const { now } = clock
  const keys = await deriveKeys(randomBytes(32))
  const log: string[] = []
  const mailer = createMailer({ config, db: database, now, log: (line) => log.push(line), defer })
  const statements: string[] = []
  const db = watched(database, { outage, statements })
  const auth = await createAuthDeps({
    config,
    db,
    keys,
    mailer,
    limitStore: createRateLimitStore(),
    publish: () => undefined,
    now,
  })
  const app = await createBareApp(auth)
  return {
    ...{ app, auth, config, mailer, clock, log, outage, statements },
    async close() {
      await app.close()
      await mailer.stop()
      await database.close()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** Starts the service again on the same database with other dependencies. close() of the first app closes the database. */
export async function restartWith(
  { auth }: AuthApp,
  changed: Partial<Pick<AuthDeps, 'config' | 'keys' | 'passwords'>>,
): Promise<FastifyInstance> {
  return createBareApp({ ...(await createAuthDeps({ ...auth, ...changed })), ...changed })
}

/** A reduced createApp(): only the routes of the auth service, and /whoami, which returns the principal of the caller. */
async function createBareApp(auth: AuthDeps): Promise<FastifyInstance> {
  const app = Fastify({ trustProxy: auth.config.trustProxy })
  sendSecurityHeaders(app, auth.config.publicUrl)
  answerErrors(app, createSendNotFoundPage(createSendCached(), WEB_ROOT))
  validateInputs(app)
  allowOwnOrigins(app, auth.config)
  await app.register(
    async (scope) => {
      answerPreflights(scope, '/*')
      await authRoutes(scope, auth)
    },
    { prefix: '/auth/v1' },
  )
  await app.register((scope) => outboxRoutes(scope, auth))
  const signedIn = createSignedIn(auth)
  app.get('/whoami', (request) => signedIn(request))
  return app
}

function createClock(): Clock {
  let time = Math.floor(Date.now() / 1000) * 1000
  return {
    now: () => new Date(time++),
    pass(seconds) {
      time += seconds * 1000
    },
  }
}

function watched(db: Db, { outage, statements }: Pick<AuthApp, 'outage' | 'statements'>): Db {
  const failWhenOut = () => {
    if (outage.isOn) throw new DatabaseOutage(new Error('connect ECONNREFUSED 127.0.0.1:5432'))
  }
  return {
    async query(statement, params) {
      failWhenOut()
      statements.push(statement.name)
      return db.query(statement, params)
    },
    async transaction(work) {
      failWhenOut()
      return db.transaction((db) => work(watched(db, { outage, statements })))
    },
    async script(text) {
      failWhenOut()
      return db.script(text)
    },
  }
}
