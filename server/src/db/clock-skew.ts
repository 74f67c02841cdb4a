import { type Database, statement } from './db.ts'

/** A difference up to this is normal: a query takes time, and clocks are corrected in small steps. */
const MAX_SKEW_SECONDS = 2

const read = statement('db.clock', 'select clock_timestamp() as "databaseNow"')

/**
 * How far the clock of this server is ahead of the database's, in seconds; negative if it is behind. Null for the embedded database,
 * which has the same clock, and if the database took too long to answer.
 */
export async function clockSkewSeconds(db: Database, now: () => Date): Promise<number | null> {
  if (db.engine === 'embedded') return null
  const sentAt = now().getTime()
  const [row] = await db.query<{ databaseNow: Date }>(read)
  const answeredAt = now().getTime()
  if (!row || answeredAt - sentAt > 1_000) return null
  return ((sentAt + answeredAt) / 2 - row.databaseNow.getTime()) / 1_000
}

/** Calls `warn` with a sentence when the clocks begin to differ by more than two seconds, and when they agree again. */
export function createClockCheck(db: Database, now: () => Date, warn: (sentence: string) => void): () => Promise<void> {
  let differs = false
  return async () => {
    const skew = await clockSkewSeconds(db, now)
    if (skew === null || Math.abs(skew) > MAX_SKEW_SECONDS === differs) return
    differs = !differs
    if (!differs) return warn('The clock of this server agrees with the clock of the database again.')
    const seconds = Math.round(Math.abs(skew))
    warn(
      `The clock of this server is ${seconds} seconds ${skew > 0 ? 'ahead of' : 'behind'} the clock of the database. Correct the wrong clock: focus times come from this server.`,
    )
  }
}
