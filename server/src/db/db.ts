import pg from 'pg'
import { type Abandoned, trackAbandoned } from './abandoned.ts'
import { type Params, resolveNames, valuesOf } from './named-parameters.ts'
import { createPipelines, type Pipelines } from './pipelines.ts'

/** A prepared statement: `pg` prepares it once per connection under its name, then only binds and executes it. */
export interface Statement {
  name: string
  /** The SQL with positional parameters `$1`, `$2` ... */
  text: string
  /** The names of `$1`, `$2` and so on, in order. */
  names: readonly string[]
  /** See `lookup`. */
  isLookup?: true
  /** Whether it changes rows. */
  isWrite?: boolean
}

/** Not `for update`, which locks only. */
const WRITES = /\binsert\s+into\b|\bdelete\s+from\b|\bupdate\s+[\w."]+(\s+(as\s+)?\w+)?\s+set\b/i

/**
 * Declares a prepared statement. `name` must be unique in the program. `sql` has named parameters (`:email`, `:now`), and
 * `db.query(statement, { email, now })` passes their values. It throws if one is missing or unknown.
 */
export function statement(name: string, sql: string): Statement {
  return { name, ...resolveNames(sql), isWrite: WRITES.test(sql) }
}

/**
 * Declares a fast read: it finds a few rows by their keys and waits for no lock. On PostgreSQL lookups share connections by
 * pipelining (pipelines.ts).
 */
export function lookup(name: string, sql: string): Statement {
  return { ...statement(name, sql), isLookup: true }
}

/** The database or an open transaction. Operations accept either. */
export interface Db {
  /** Runs one prepared statement and returns its rows. `Row` is not checked. */
  query<Row>(statement: Statement, params?: Params): Promise<Row[]>
  /** Runs `work` in a transaction: commits, or rolls back if it throws. `work` must use the handle that it receives. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Runs several statements unprepared. For migrations and maintenance. */
  script(text: string): Promise<void>
}

export interface Database extends Db {
  engine: 'embedded' | 'postgresql'
  load(): DatabaseLoad
  /** Calls `listener` for each statement that took at least 250 ms, with its name but never its values. */
  onSlow(listener: (slow: SlowStatement) => void): void
  /** Calls `listener` when the database stops answering or writing, with the error, and when it does again, with null. */
  onOutage(listener: (error: DatabaseOutage | null) => void): void
  close(): Promise<void>
}

export interface DatabaseLoad {
  /** The number of open connections, and of those that are idle. */
  open: number
  idle: number
  /** The number of statements that wait for a connection. */
  waiting: number
  /** The number of connections that were given up and that PostgreSQL may still work for. See abandoned.ts. */
  abandoned: number
  /** The SQLSTATE of the last write that failed for want of space, by an error of the disk or on a standby; null once one succeeds. */
  failedWrite: string | null
}

export interface SlowStatement {
  name: string
  ms: number
}

const SLOW_MS = 250
/** Size of the connection pool of each process. Concurrent commits share a sync of the disk (group commit). */
const POOLED = 14
const PIPELINED = 2
/** The server cancels a statement first. The second timeout is for a server or network that does not respond at all. */
const STATEMENT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 15_000
/** Connections idle for this long are closed: a firewall or NAT may have dropped them without notice. */
const IDLE_MS = 10_000

/* No statement of a server may take longer than its timeout, except a commit that waits for a standby. */
const stuck = lookup(
  'db.stuck-backends',
  `select count(*)::int as count from pg_stat_activity
  where usename = current_user and datname = current_database() and backend_type = 'client backend' and state = 'active'
    and query_start < clock_timestamp() - :statementMs * interval '1 millisecond'`,
)

/**
 * A Database over a connection pool. A failed statement returns its client to the pool; `pool.query()` would discard it. A
 * new connection is expensive on PostgreSQL, and the embedded engine has only one.
 */
export function databaseOn(
  { pool, pipelines, abandoned }: { pool: pg.Pool; pipelines?: Pipelines; abandoned?: Abandoned },
  engine: Database['engine'],
  close: () => Promise<void>,
): Database {
  const listeners: ((slow: SlowStatement) => void)[] = []
  const outageListeners: ((error: DatabaseOutage | null) => void)[] = []
  let isOut = false
  let failedWrite: string | null = null

  /** Notices outages, and the first answer after one. */
  async function watched<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work
      if (isOut) {
        isOut = false
        notice(null)
      }
      return result
    } catch (error) {
      const { code } = error as { code?: unknown }
      if (!(error instanceof DatabaseOutage)) throw error
      const isOfWrites = WRITE_FAILURES.test(String(code))
      const isNew = isOfWrites ? failedWrite === null : !isOut
      if (isOfWrites) failedWrite = String(code)
      else isOut = true
      if (isNew) notice(error)
      throw error
    }
  }

  function notice(error: DatabaseOutage | null): void {
    for (const listener of outageListeners) listener(error)
  }

  // The pool replaces a lost connection at the next query. Without these listeners, an 'error' event would end the process:
  // the pool emits it for idle clients, each client emits it while in use.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (pool.options.max === 0) {
      throw new DatabaseOutage(new Error('PostgreSQL still works on abandoned statements of every connection.'))
    }
    const client = await orOutage(pool.connect())
    let isUnusable = false
    try {
      return await work(client)
    } catch (error) {
      const isSilent = error instanceof Error && error.message === 'Query read timeout'
      if (isSilent) abandoned?.add()
      isUnusable = isSilent || (error instanceof DatabaseOutage && LOST.test(String(error.code)))
      throw error
    } finally {
      // True destroys the client: the next statement would wait for the response of this one, or find that the connection is closed.
      client.release(isUnusable)
    }
  }

  function reportIfSlow(name: string, ms: number): void {
    if (ms >= SLOW_MS) for (const listener of listeners) listener({ name, ms: Math.round(ms) })
  }

  async function run<Row>(client: pg.PoolClient, statement: Statement, params?: Params): Promise<Row[]> {
    const { name, text } = statement
    const values = valuesOf(statement, params)
    const beganAtMs = performance.now()
    try {
      const result = await orOutage(client.query({ name, text, values }))
      if (failedWrite !== null && statement.isWrite && result.rowCount) {
        failedWrite = null
        notice(null)
      }
      return result.rows as Row[]
    } finally {
      reportIfSlow(name, performance.now() - beganAtMs)
    }
  }

  async function runLookup<Row>(on: Pipelines, statement: Statement, params?: Params): Promise<Row[]> {
    const { name, text } = statement
    const { rows, ms } = await orOutage(on.query({ name, text, values: valuesOf(statement, params) }))
    reportIfSlow(name, ms)
    return rows as Row[]
  }

  return {
    engine,
    query: (statement, params) =>
      statement.isLookup && pipelines
        ? watched(runLookup(pipelines, statement, params))
        : watched(retryAfterDeadlock(() => withClient((client) => run(client, statement, params)))),
    transaction: (work) => watched(retryAfterDeadlock(() => withClient((client) => inTransaction(client, run, work)))),
    script: (text) => watched(withClient((client) => runScript(client, text))),
    load() {
      const { open, idle, waiting } = pipelines?.load() ?? { open: 0, idle: 0, waiting: 0 }
      return {
        open: pool.totalCount + open,
        idle: pool.idleCount + idle,
        waiting: pool.waitingCount + waiting,
        abandoned: abandoned?.count() ?? 0,
        failedWrite,
      }
    },
    onSlow: (listener) => void listeners.push(listener),
    onOutage: (listener) => void outageListeners.push(listener),
    close,
  }
}

/** Retries once after a deadlock. PostgreSQL rolled this transaction back, and the other one could continue. */
async function retryAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: unknown }).code === DEADLOCK) return work()
    throw error
  }
}

const DEADLOCK = '40P01'

type Run = <Row>(client: pg.PoolClient, statement: Statement, params?: Params) => Promise<Row[]>

async function runScript(client: pg.PoolClient, text: string): Promise<void> {
  await orOutage(client.query(text))
}

async function inTransaction<T>(client: pg.PoolClient, run: Run, work: (db: Db) => Promise<T>): Promise<T> {
  const db: Db = {
    query: (statement, params) => run(client, statement, params),
    transaction: (inner) => inner(db),
    script: (text) => runScript(client, text),
  }
  await runScript(client, 'begin')
  try {
    const result = await work(db)
    await runScript(client, 'commit')
    return result
  } catch (error) {
    // A lost connection cannot roll back and need not. The first error is the useful one.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** The database did not answer, or cannot work at all: the caller of a request is not to blame. */
export class DatabaseOutage extends Error {
  override readonly name = 'DatabaseOutage'
  /** The code of PostgreSQL or the system, if there is one. */
  readonly code: unknown

  constructor(cause: Error) {
    super(cause.message, { cause })
    this.code = (cause as { code?: unknown }).code
  }
}

/** Connection lost, no resources, shutting down or starting, input or output failed, or a standby that cannot write. */
const OUTAGES = /^(08|53|57P|58)|^25006$/
/** PostgreSQL says that it closes this connection, some time before it does. */
const LOST = /^(08|57P)/
/** No space, an error of the disk, or a standby: reads still work. */
const WRITE_FAILURES = /^(53100|58...|25006)$/

/** Turns an error that PostgreSQL did not answer with, or answers to everybody, into a DatabaseOutage. */
async function orOutage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    // Checks fields, not the class: PGlite has its own copy of the error class of `pg`.
    const { severity, code } = error as { severity?: unknown; code?: unknown }
    const isProgramming =
      error instanceof TypeError ||
      error instanceof RangeError ||
      /^Prepared statements/.test(String((error as Error).message))
    if (isProgramming || (severity !== undefined && !OUTAGES.test(String(code)))) throw error
    throw new DatabaseOutage(error as Error)
  }
}

/** The name of the violated constraint or unique index, or null if the error is not a constraint violation. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  const isViolation = typeof code === 'string' && code.startsWith('23')
  return isViolation && typeof constraint === 'string' ? constraint : null
}

/**
 * Whether PostgreSQL cannot store a text of a request, such as one with a NUL or too long for an index. Other data errors can only come
 * from the server's own values: they stay failures of the server, which clients retry.
 */
export function isRefusedValue(error: unknown): boolean {
  const { severity, code } = error as { severity?: unknown; code?: unknown }
  return severity !== undefined && /^(22021|22P05|54)/.test(String(code))
}

/** Whether the rows or values of a statement made it fail, and not the connection or the server. */
export function isAboutData(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^2[1-3]/.test(code)
}

/**
 * Connects to the PostgreSQL server of `DATABASE_URL`. `isPatient` means no timeouts for statements. Throws if the server
 * does not respond. Tests shorten the timeouts.
 */
export async function openPostgres(
  url: string,
  { isPatient = false, statementMs = STATEMENT_TIMEOUT_MS, silenceMs = SILENCE_TIMEOUT_MS } = {},
): Promise<Database> {
  const settings = {
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: IDLE_MS,
    ...(!isPatient && {
      statement_timeout: statementMs,
      query_timeout: silenceMs,
      idle_in_transaction_session_timeout: statementMs,
    }),
  }
  const pool = new pg.Pool({ ...settings, max: POOLED, idleTimeoutMillis: IDLE_MS })
  const pipelines = createPipelines(settings, { count: PIPELINED, idleMs: IDLE_MS })
  const abandoned = trackAbandoned(pool, async () => {
    const { name, text } = stuck
    const { rows } = await pipelines.query({ name, text, values: valuesOf(stuck, { statementMs }) })
    return (rows as { count: number }[])[0]?.count ?? 0
  })
  const close = async () => {
    abandoned.close()
    await Promise.all([pool.end(), pipelines.close()])
  }
  const database = databaseOn({ pool, pipelines, abandoned }, 'postgresql', close)
  await database.script('select 1')
  return database
}
