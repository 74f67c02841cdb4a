import pg from 'pg'
import { type Params, resolveNames, valuesOf } from './named-parameters.ts'
import { createPipelines, type Pipelines } from './pipelines.ts'

/** SQL with a name: `pg` prepares it once per connection and only binds and runs it from then on. */
export interface Statement {
  name: string
  /** With `$1`, `$2` ..., as PostgreSQL takes it. */
  text: string
  /** The name of `$1`, of `$2` and so on. */
  names: readonly string[]
  /** See `lookup`. */
  isLookup?: true
}

/**
 * `name` must be unique in the program: it is the name of the prepared statement. `sql` names its parameters: `:email`, `:now`.
 * `db.query(statement, { email, now })` passes their values, and throws if one is missing or unknown.
 */
export function statement(name: string, sql: string): Statement {
  return { name, ...resolveNames(sql) }
}

/**
 * A statement that finds a few rows by their keys and waits for no lock, so that it is over in a moment. Many of them share
 * a connection (pipelines.ts).
 */
export function lookup(name: string, sql: string): Statement {
  return { ...statement(name, sql), isLookup: true }
}

/** The database, or a transaction on it: operations take either under the same name. */
export interface Db {
  /** The rows of one prepared statement. The type is trusted: the statement stands beside the call. */
  query<Row>(statement: Statement, params?: Params): Promise<Row[]>
  /** Runs `work` between begin and commit; a throw rolls back. Inside, use the handle that `work` is given. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Runs a text of several statements, unprepared. For migrations and upkeep. */
  script(text: string): Promise<void>
}

export interface Database extends Db {
  engine: 'embedded' | 'postgresql'
  /** How many connections are open and idle, and how much waits for one. */
  load(): { open: number; idle: number; waiting: number }
  /** `listener` is called of each statement that took 250 ms or longer: its name, never its values. */
  onSlow(listener: (slow: SlowStatement) => void): void
  close(): Promise<void>
}

export interface SlowStatement {
  name: string
  ms: number
}

const SLOW_MS = 250
/** Connections to PostgreSQL, of each process. More commits at once are written to the disk together. */
const POOLED = 14
const PIPELINED = 2
/** The server gives up first; this is for a server or a network that says nothing at all. */
const STATEMENT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 15_000
/** A connection on which nothing was said for so long may have been forgotten by the network: it is not used again. */
const IDLE_MS = 10_000

/**
 * A query gives its client back whether or not it failed. `pool.query()` would throw the client away after every
 * refused statement: that costs PostgreSQL a connection, and the embedded engine has only one.
 */
export function databaseOn(
  { pool, pipelines }: { pool: pg.Pool; pipelines?: Pipelines },
  engine: Database['engine'],
  close: () => Promise<void>,
): Database {
  const listeners: ((slow: SlowStatement) => void)[] = []
  // A connection that is lost is replaced at the next query. Unheard, the event would end the process: the pool hears it of
  // those that are idle, and nobody of those that are in use, once their statement has failed.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let isSilent = false
    try {
      return await work(client)
    } catch (error) {
      isSilent = error instanceof Error && error.message === 'Query read timeout'
      throw error
    } finally {
      // One that still waits for an answer would keep the next statement waiting too.
      client.release(isSilent)
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
      const result = await client.query({ name, text, values })
      return result.rows as Row[]
    } finally {
      reportIfSlow(name, performance.now() - beganAtMs)
    }
  }

  async function runLookup<Row>(on: Pipelines, statement: Statement, params?: Params): Promise<Row[]> {
    const { name, text } = statement
    const { rows, ms } = await on.query({ name, text, values: valuesOf(statement, params) })
    reportIfSlow(name, ms)
    return rows as Row[]
  }

  return {
    engine,
    query: (statement, params) =>
      statement.isLookup && pipelines
        ? runLookup(pipelines, statement, params)
        : retryAfterDeadlock(() => withClient((client) => run(client, statement, params))),
    transaction: (work) => retryAfterDeadlock(() => withClient((client) => inTransaction(client, run, work))),
    script: (text) => withClient((client) => runScript(client, text)),
    load() {
      const { open, idle, waiting } = pipelines?.load() ?? { open: 0, idle: 0, waiting: 0 }
      return { open: pool.totalCount + open, idle: pool.idleCount + idle, waiting: pool.waitingCount + waiting }
    },
    onSlow: (listener) => void listeners.push(listener),
    close,
  }
}

/** Of two that wait for each other PostgreSQL rolls one back. Nothing of it has happened, and by now the other is through. */
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
  await client.query(text)
}

async function inTransaction<T>(client: pg.PoolClient, run: Run, work: (db: Db) => Promise<T>): Promise<T> {
  const db: Db = {
    query: (statement, params) => run(client, statement, params),
    transaction: (inner) => inner(db),
    script: (text) => runScript(client, text),
  }
  await client.query('begin')
  try {
    const result = await work(db)
    await client.query('commit')
    return result
  } catch (error) {
    // A connection that broke cannot roll back and need not: the first error is the one worth telling.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** The name of the constraint or unique index that refused a write, or null if the error is something else. */
export function violatedConstraint(error: unknown): string | null {
  // By its fields, not by its class: PGlite brings a copy of the class that `pg` throws.
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  const isViolation = typeof code === 'string' && code.startsWith('23')
  return isViolation && typeof constraint === 'string' ? constraint : null
}

/**
 * The PostgreSQL server behind `DATABASE_URL`. `isPatient`: a statement may take as long as it takes. Throws if it does not
 * answer.
 */
export async function openPostgres(url: string, { isPatient = false } = {}): Promise<Database> {
  const settings = {
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: IDLE_MS,
    ...(!isPatient && {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: SILENCE_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    }),
  }
  const pool = new pg.Pool({ ...settings, max: POOLED, idleTimeoutMillis: IDLE_MS })
  const pipelines = createPipelines(settings, { count: PIPELINED, idleMs: IDLE_MS })
  const close = async () => {
    await Promise.all([pool.end(), pipelines.close()])
  }
  const database = databaseOn({ pool, pipelines }, 'postgresql', close)
  await database.script('select 1')
  return database
}
