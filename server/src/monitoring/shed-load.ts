import { monitorEventLoopDelay } from 'node:perf_hooks'
import { LIVE_PATH } from '@deeb/core/live-events'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/db.ts'
import { Refusal } from '../lib/refusal.ts'

/** Maximum average delay of the event loop since the last check. */
const MAX_DELAY_MS = 1_000
/** Only a lasting delay is overload. One long statement or vacuum of the embedded database is over when it is measured. */
const LATE_CHECKS = 3
/** Maximum number of statements that wait for a connection: a few tenths of a second of work, far above normal peaks. */
const MAX_WAITING = 1_000
const CHECK_EVERY_MS = 1_000
/** How often the event loop is measured. An idle one has this delay. */
const RESOLUTION_MS = 10

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
export function shedLoad(app: FastifyInstance, db: Pick<Database, 'load'>, countShed: () => void): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  let late = 0
  let isOverloaded = false
  const checking = setInterval(() => {
    // The mean is NaN if the event loop was blocked for the whole time.
    const isOnTime = delays.mean / 1e6 - RESOLUTION_MS <= MAX_DELAY_MS
    delays.reset()
    late = isOnTime ? 0 : late + 1
    isOverloaded = late >= LATE_CHECKS || db.load().waiting >= MAX_WAITING
  }, CHECK_EVERY_MS).unref()
  app.addHook('onRequest', ({ method, routeOptions }, _reply, done) => {
    if (!isOverloaded || method === 'OPTIONS' || EXEMPT.has(routeOptions.url ?? '')) return done()
    countShed()
    done(new Refusal('unavailable'))
  })
  app.addHook('onClose', async () => {
    clearInterval(checking)
    delays.disable()
  })
}
