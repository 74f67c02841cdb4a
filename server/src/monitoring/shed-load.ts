import { LIVE_PATH } from '@deeb/core/live-events'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/db.ts'
import { Refusal } from '../refusal.ts'

/** How late this process comes to what it has to do, on average since the last look: past that, waiting is no answer. */
const MAX_DELAY_MS = 1_000
/** One long statement of the embedded database, or a vacuum, is over when it is seen: only what lasts is overload. */
const LOOKS_IN_A_ROW = 3
/** Statements that wait for a connection: a few tenths of a second of work, and far beyond what comes in waves. */
const MAX_WAITING = 1_000
const LOOK_EVERY_MS = 1_000

/**
 * These are answered all the same: whoever looks after the server has to see it, and a live stream costs next to nothing,
 * while one that is refused comes back in a moment. So is what a browser asks before a native app's call, which would not
 * learn else why it is refused.
 */
const SPARED = new Set(['/healthz', '/metrics', LIVE_PATH])

/**
 * Refuses with `unavailable` and Retry-After what this process cannot answer in time, before anything is read or looked
 * up: the others are answered as usual, and the clients that are refused ask again.
 */
export async function shedLoad(app: FastifyInstance, db: Pick<Database, 'load'>, countShed: () => void): Promise<void> {
  let late = 0
  await app.register(underPressure, {
    sampleInterval: LOOK_EVERY_MS,
    healthCheck: async ({ memoryUsage }) => {
      late = memoryUsage().eventLoopDelay > MAX_DELAY_MS ? late + 1 : 0
      return late < LOOKS_IN_A_ROW && db.load().waiting < MAX_WAITING
    },
    healthCheckInterval: LOOK_EVERY_MS,
    pressureHandler: ({ method, routeOptions }) => {
      if (method === 'OPTIONS' || SPARED.has(routeOptions.url ?? '')) return
      countShed()
      return Promise.reject(new Refusal('unavailable'))
    },
  })
}
