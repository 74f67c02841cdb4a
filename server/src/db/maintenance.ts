import { type Database, statement } from './db.ts'

const CHECKPOINT_EVERY_MS = 30_000
const VACUUM_EVERY_CHECKPOINTS = 20

const walPosition = statement('maintenance.wal-position', 'select pg_current_wal_insert_lsn()::text as position')

/**
 * Runs checkpoints and vacuum on a timer, because PGlite has none of PostgreSQL's background processes. Without checkpoints
 * the write-ahead log grows forever; without vacuum and analyze tables bloat and query plans become stale. Skips rounds
 * without writes. Returns the function that stops it after a last round.
 */
export function startMaintenance(database: Database): () => Promise<void> {
  let cleanPosition = ''
  let checkpointsSinceVacuum = 0
  let running: Promise<void> = Promise.resolve()

  async function position(): Promise<string> {
    const [row] = await database.query<{ position: string }>(walPosition)
    return row?.position ?? ''
  }

  async function round(): Promise<void> {
    if ((await position()) === cleanPosition) return
    checkpointsSinceVacuum += 1
    if (checkpointsSinceVacuum >= VACUUM_EVERY_CHECKPOINTS) await vacuum()
    await database.script('checkpoint')
    cleanPosition = await position()
  }

  async function vacuum(): Promise<void> {
    await database.script('vacuum analyze')
    checkpointsSinceVacuum = 0
  }

  const timer = setInterval(() => {
    running = running
      .then(round)
      .catch((error: unknown) =>
        console.error('Checkpoint or vacuum of the database failed; it is retried in 30 seconds:', error),
      )
  }, CHECKPOINT_EVERY_MS)
  timer.unref()

  return async () => {
    clearInterval(timer)
    await running
    if (checkpointsSinceVacuum > 0 || (await position()) !== cleanPosition) await vacuum()
    await database.script('checkpoint')
  }
}
