import { LIVE_PATH } from '@deeb/core/live-events'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/db.ts'
import { Refusal } from '../refusal.ts'

/** Maximum average delay of the event loop since the last check. */
const MAX_DELAY_MS = 1_000
/** Only a lasting delay is overload. One long statement or vacuum of the embedded database is over when it is measured. */
const LATE_CHECKS = 3
/** Maximum number of statements that wait for a connection: a few tenths of a second of work, far above normal peaks. */
const MAX_WAITING = 1_000
const CHECK_EVERY_MS = 1_000

/**
 * Routes without load shedding. Monitoring must see an overloaded server. A live stream costs almost nothing, and a refused
 * one would reconnect immediately. CORS preflights are exempt too: otherwise native apps could not read why a call is
 * refused.
 */
const EXEMPT = new Set(['/healthz', '/readyz', '/metrics', LIVE_PATH])

/**
 * Load shedding: under overload refuses requests with 503 `unavailable` and Retry-After, before it reads a body or the
 * database. Other requests stay fast, and clients retry the refused ones.
 */
export async function shedLoad(app: FastifyInstance, db: Pick<Database, 'load'>, countShed: () => void): Promise<void> {
  let late = 0
  await app.register(underPressure, {
    sampleInterval: CHECK_EVERY_MS,
    healthCheck: async ({ memoryUsage }) => {
      late = memoryUsage().eventLoopDelay > MAX_DELAY_MS ? late + 1 : 0
      return late < LATE_CHECKS && db.load().waiting < MAX_WAITING
    },
    healthCheckInterval: CHECK_EVERY_MS,
    pressureHandler: ({ method, routeOptions }) => {
      if (method === 'OPTIONS' || EXEMPT.has(routeOptions.url ?? '')) return
      countShed()
      return Promise.reject(new Refusal('unavailable'))
    },
  })
}
