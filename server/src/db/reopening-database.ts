import { setTimeout as pause } from 'node:timers/promises'
import { type Database, DatabaseOutage } from './db.ts'

const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 10_000

/** A database engine that may crash. */
export interface Engine {
  database: Database
  /** Resolves with the reason after a crash. A crashed engine must not be closed. */
  ended: Promise<Error>
}

/**
 * A database with crash recovery: after a crash of the engine it starts a new one on the same files, with exponential
 * backoff. Until then every statement fails immediately. Rejects if the first engine does not start.
 */
export async function reopeningDatabase(start: () => Promise<Engine>): Promise<Database> {
  const listeners: Parameters<Database['onSlow']>[0][] = []
  const outageListeners: Parameters<Database['onOutage']>[0][] = []
  const closing = new AbortController()
  let database: Database | null = null
  let isOpening: Promise<void> = Promise.resolve()

  async function open(): Promise<void> {
    const engine = await start()
    database = engine.database
    for (const listener of listeners) database.onSlow(listener)
    for (const listener of outageListeners) database.onOutage(listener)
    void engine.ended.then((reason) => {
      database = null
      console.error(`The database crashed: ${reason.message}. Reopening it.`)
      isOpening = reopen()
    })
  }

  async function reopen(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !closing.signal.aborted; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      try {
        await open()
        console.error('The database is open again after a crash.')
        return
      } catch (error) {
        console.error(`The database cannot be reopened yet: ${(error as Error).message}. Retrying.`)
        await pause(pauseMs, null, { signal: closing.signal }).catch(() => undefined)
      }
    }
  }

  await open()
  return {
    engine: 'embedded',
    query: (statement, params) => (database ?? failing).query(statement, params),
    transaction: (work) => (database ?? failing).transaction(work),
    script: (text) => (database ?? failing).script(text),
    load: () => database?.load() ?? { open: 0, idle: 0, waiting: 0, abandoned: 0, failedWrite: null },
    onSlow(listener) {
      listeners.push(listener)
      database?.onSlow(listener)
    },
    onOutage(listener) {
      outageListeners.push(listener)
      database?.onOutage(listener)
    },
    async close() {
      closing.abort()
      await isOpening
      await database?.close()
    },
  }
}

async function fail(): Promise<never> {
  throw new DatabaseOutage(new Error('The database has crashed and is being reopened.'))
}

const failing = { query: fail, transaction: fail, script: fail }
