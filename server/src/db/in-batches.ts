import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db, Statement } from './db.ts'
import type { Params } from './named-parameters.ts'

/** An id before that of every person. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Yields people in order of `id`, at most `limit` at a time: `statement` selects those with `id > :after`, up to `:limit`. Each batch
 * is one short statement, so that nothing waits for the whole walk.
 */
export async function* inBatches<Row extends { id: string }>(
  db: Db,
  statement: Statement,
  { limit, ...params }: Params & { limit: number },
): AsyncGenerator<Row[]> {
  let after = FIRST
  for (;;) {
    const rows = await db.query<Row>(statement, { ...params, after, limit })
    // The embedded database responds in the same turn of the event loop. Yield, so that other requests can run.
    await nextTurn()
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    after = rows.at(-1)?.id ?? after
  }
}
