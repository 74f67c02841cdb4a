import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from './db.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000

/** A database that may end by itself. */
export interface Engine {
  database: Database
  /** Settles with the reason if it does; it is not to be closed then. */
  ended: Promise<Error>
}

/**
 * One engine after the other, as one database: where one ends, the next is started on what it left. In between each
 * statement fails at once. Rejects if the first does not start.
 */
export async function reopeningDatabase(start: () => Promise<Engine>): Promise<Database> {
  const listeners: Parameters<Database['onSlow']>[0][] = []
  const closing = new AbortController()
  let database: Database | null = null
  let isOpening: Promise<void> = Promise.resolve()

  async function open(): Promise<void> {
    const engine = await start()
    database = engine.database
    for (const listener of listeners) database.onSlow(listener)
    void engine.ended.then((reason) => {
      database = null
      console.error(`The database ended: ${reason.message}. It is opened again.`)
      isOpening = openAgain()
    })
  }

  async function openAgain(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !closing.signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        await open()
        console.error('The database is open again.')
        return
      } catch (error) {
        console.error(`The database cannot be opened yet: ${(error as Error).message}`)
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
    load: () => database?.load() ?? { open: 0, idle: 0, waiting: 0 },
    onSlow(listener) {
      listeners.push(listener)
      database?.onSlow(listener)
    },
    async close() {
      closing.abort()
      await isOpening
      await database?.close()
    },
  }
}

async function fail(): Promise<never> {
  throw new Error('The database has ended and is being opened again.')
}

const failing = { query: fail, transaction: fail, script: fail }
