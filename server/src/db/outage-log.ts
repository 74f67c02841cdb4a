import { type Database, DatabaseOutage } from './db.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Logs what failed in the background: see `createOutageLog`. */
    logFailure(error: unknown, what: string): void
  }
}

const REPEAT_AFTER_MS = 60_000

/** The meaning of a failed write, by its SQLSTATE. */
const WRITE_FAILURES: Record<string, string> = {
  '53100': 'The disk of the database is full: nothing can be saved until there is space.',
  '25006': 'The database takes no writes: it is a standby, or read-only.',
}

interface OutageLogDeps {
  db: Pick<Database, 'onOutage' | 'load'>
  now(): Date
  /** Writes a sentence into the log. */
  say(sentence: string): void
  /** Logs any other error, with its stack. */
  logError(error: unknown, what: string): void
}

/**
 * Returns a function that logs what failed in the background. While the database does not answer, one sentence a minute stands for all
 * of it, and one when it answers again.
 */
export function createOutageLog({ db, now, say, logError }: OutageLogDeps): (error: unknown, what: string) => void {
  let since: Date | null = null
  let saidAtMs = Number.NEGATIVE_INFINITY
  /** Whether this outage has been said: one that ends within a minute of the last sentence is not. */
  let isSaid = false

  function sayOut(error: Error): void {
    if (now().getTime() - saidAtMs < REPEAT_AFTER_MS) return
    saidAtMs = now().getTime()
    isSaid = true
    const { code } = error as { code?: unknown }
    const failedWrite = db.load().failedWrite
    if (failedWrite !== null) say(WRITE_FAILURES[failedWrite] ?? `The database cannot write (${failedWrite}).`)
    else say(`The database does not answer since ${(since ?? now()).toISOString()} (${String(code || error.message)}).`)
  }

  db.onOutage((error) => {
    if (error) {
      since = now()
      sayOut(error)
      return
    }
    if (db.load().failedWrite !== null) return
    if (isSaid) say(`The database works again. It did not since ${since?.toISOString()}.`)
    since = null
    isSaid = false
  })
  return (error, what) => {
    if (error instanceof DatabaseOutage) sayOut(error)
    else logError(error, what)
  }
}
