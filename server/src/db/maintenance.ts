import { type Database, statement } from './db.ts'

const CHECKPOINT_EVERY_MS = 30_000
const VACUUM_EVERY_CHECKPOINTS = 20

const walPosition = statement('upkeep.wal-position', 'select pg_current_wal_insert_lsn()::text as position')

/**
 * What PostgreSQL's background processes do and PGlite has none of: checkpoints, or the write-ahead log grows for
 * ever, and vacuum with analyze, or tables swell and plans go stale. Nothing is done while nothing was written.
 * Returns the function that stops it, with a last round.
 */
export function startUpkeep(database: Database): () => Promise<void> {
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
    running = running.then(round).catch((error: unknown) => console.error('Database upkeep failed:', error))
  }, CHECKPOINT_EVERY_MS)
  timer.unref()

  return async () => {
    clearInterval(timer)
    await running
    if (checkpointsSinceVacuum > 0 || (await position()) !== cleanPosition) await vacuum()
    await database.script('checkpoint')
  }
}
