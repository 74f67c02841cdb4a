import type { FastifyInstance } from 'fastify'
import { type Database, lookup } from '../db/db.ts'
import { Refusal } from '../lib/refusal.ts'

/* A lookup: while every connection of the pool waits for a standby, reads still work and so does this. */
const ping = lookup('health.ping', 'select 1')

/** A commit that waits for longer than this has lost its standby. */
const STANDBY_WITHIN_SECONDS = 5

const writable = lookup(
  'health.writable',
  `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly",
    exists (
      select from pg_stat_activity where usename = current_user and wait_event = 'SyncRep'
      and query_start < clock_timestamp() - interval '${STANDBY_WITHIN_SECONDS} seconds'
    ) as "waitsForStandby"`,
)

interface Writable {
  isStandby: boolean
  isReadOnly: boolean
  waitsForStandby: boolean
}

/** Why `GET /readyz` is 503. */
type NotReady = 'stopping' | 'standby' | 'read-only' | 'waits-for-standby' | 'disk-full' | 'writes-fail'

/**
 * Liveness: `GET /healthz` is 200 while the database answers reads. Readiness: `GET /readyz` is 200 while the last
 * write worked, else 503 with the reason. Both are 503 from the signal that stops the server, so that a proxy uses another one.
 */
export function healthRoutes(app: FastifyInstance, db: Database, stopping?: AbortSignal): void {
  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (stopping?.aborted) throw new Refusal('unavailable')
    await db.query(ping).catch(unavailable)
    return { status: 'ok' }
  })

  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const reason = stopping?.aborted ? 'stopping' : reasonOf(await db.query<Writable>(writable).catch(unavailable), db)
    if (reason !== null) reply.code(503)
    return { status: reason ?? 'ok' }
  })
}

function reasonOf([row]: Writable[], db: Database): NotReady | null {
  if (row?.isStandby) return 'standby'
  if (row?.isReadOnly) return 'read-only'
  if (row?.waitsForStandby) return 'waits-for-standby'
  const { failedWrite } = db.load()
  return failedWrite === null ? null : failedWrite === '53100' ? 'disk-full' : 'writes-fail'
}

function unavailable(): never {
  throw new Refusal('unavailable')
}
