import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint, InputOf, OutputOf } from '@deeb/core/endpoint'
import type { ErrorBody } from '@deeb/core/errors'
import type { FastifyInstance } from 'fastify'
import { decodeJwt } from 'jose'
import { createApp } from '../app.ts'
import { type AuthDeps, createAuthDeps } from '../auth/auth-deps.ts'
import type { Config } from '../config/config.ts'
import { loadKeys } from '../config/keys.ts'
import { type Database, openPostgres } from '../db/db.ts'
import type { SharedBus } from '../lib/event-bus.ts'
import { createRateLimitStore, type RateLimitStore } from '../limits/rate-limit-store.ts'
import { openBus } from '../live/postgres-bus.ts'
import { createMailer, type Mailer } from '../mail/mailer.ts'
import type { MadeUser } from './make.ts'
import { readTestConfig } from './test-config.ts'
import { openTestDatabase, withDirectUrl } from './test-database.ts'
import { WEB_ROOT } from './web-root.ts'

/** The real app with a fake clock. */
export interface TestApp extends Pick<FastifyInstance, 'inject'> {
  /** Carries change events between processes. */
  bus: SharedBus
  app: FastifyInstance
  db: Database
  clock: TestClock
  auth: AuthDeps
  mailer: Mailer
  /** The log lines of the app. */
  log: string[]
  /** Calls an endpoint over HTTP as this user. */
  call<E extends Endpoint>(endpoint: E, input: InputOf<E>, user: MadeUser): Promise<Answer<OutputOf<E>>>
  close(): Promise<void>
}

interface Answer<Body> {
  status: number
  body: Body
  /** The same body, typed as an error. */
  error: ErrorBody
}

export interface TestClock {
  now(): Date
  set(instant: string): void
  advance(time: { hours?: number; minutes?: number; seconds?: number }): void
}

export interface Stores {
  clock?: TestClock
  /** The store of the rate limits per IP network. */
  limitStore?: RateLimitStore
  /** The store of the rate limits per signed-in account. */
  callLimitStore?: RateLimitStore
  /** Changes what no setting does, such as the address of a chat system. */
  configure?: (config: Config) => void
}

/** Starts the app on `given` (closed by close()), else on the database of DATABASE_URL, else on a new one. */
export async function startTestApp(
  env: NodeJS.ProcessEnv = {},
  given?: Database,
  { clock = createTestClock(), limitStore = createRateLimitStore(), callLimitStore, configure }: Stores = {},
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'deeb-test-'))
  const config = readTestConfig({ DATA_DIR: dataDir, ...withDirectUrl(env) })
  configure?.(config)
  const db = given ?? (await openDatabase(config))
  const keys = await loadKeys(config, { mayCreate: true })
  const log: string[] = []
  const bus = await openBus(config.databaseDirectUrl, db)
  const mailer = createMailer({ config, db, now: clock.now, log: () => undefined, defer: (send) => send() })
  const auth = await createAuthDeps({
    config,
    db,
    keys,
    mailer,
    limitStore,
    publish: bus.publish,
    now: clock.now,
  })
  const sink = { write: (line: string) => log.push(line) }
  const app = await createApp({ ...auth, mailer, db, webRoot: WEB_ROOT, bus, callLimitStore, log: sink })
  await app.ready()
  return {
    app,
    inject: app.inject.bind(app),
    bus,
    db,
    clock,
    auth,
    mailer,
    log,
    call: async (endpoint, input, user) => call(app, endpoint, input, await freshToken(auth, user, clock.now())),
    async close() {
      await app.close()
      await mailer.stop()
      await bus.close()
      await db.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function openDatabase({ databaseUrl }: Config): Promise<Database> {
  return databaseUrl === null ? openTestDatabase() : openPostgres(databaseUrl)
}

async function call<E extends Endpoint>(
  app: FastifyInstance,
  { method, path }: E,
  input: InputOf<E>,
  accessToken: string,
): Promise<Answer<OutputOf<E>>> {
  const response = await app.inject({
    method,
    url: path,
    headers: { authorization: `Bearer ${accessToken}` },
    ...(method === 'GET' ? { query: input as Record<string, string> } : { payload: input as object }),
  })
  const body = response.json()
  return { status: response.statusCode, body, error: body }
}

/** A new access token for the user's auth session, as a refresh would return: tests move the clock past its expiry. */
export async function freshToken({ accessTokens }: AuthDeps, { accessToken }: MadeUser, now: Date): Promise<string> {
  const { session_id, sub, email, aal, amr } = decodeJwt<{
    session_id: string
    email: string
    aal: string
    amr: unknown
  }>(accessToken)
  if (!sub) throw new Error('The token has no subject.')
  const claims = { userId: sub, sessionId: session_id, email, aal, amr, appMetadata: {}, userMetadata: {} }
  return accessTokens.sign(claims, now)
}

/** A clock that stands still. */
export function createTestClock(): TestClock {
  let now = new Date('2026-06-15T09:00:00.000Z')
  return {
    now: () => now,
    set: (instant) => {
      now = new Date(instant)
    },
    advance: ({ hours = 0, minutes = 0, seconds = 0 }) => {
      now = new Date(now.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1000)
    },
  }
}
