import type pg from 'pg'

const CHECK_EVERY_MS = 1_000

/** Connections that this process gave up while PostgreSQL still worked on their statement. */
export interface Abandoned {
  /** Counts one more. Call it before the pool may replace the connection. */
  add(): void
  count(): number
  /** Stops checking. */
  close(): void
}

/**
 * Lets each abandoned connection keep its place in the pool until PostgreSQL has ended its backend. A commit that waits for a lost
 * synchronous standby outlives its connection, so a pool that replaces it would soon use up `max_connections`.
 *
 * `countStuck` counts the backends of this database user whose statement takes longer than any may. It does not look for ids of
 * backends, because a pooler hides them. Several servers may count each other's, which only keeps a place for longer.
 */
export function trackAbandoned(pool: pg.Pool, countStuck: () => Promise<number>): Abandoned {
  const places = pool.options.max
  let abandoned = 0
  let timer: NodeJS.Timeout | undefined

  function set(count: number): void {
    abandoned = count
    pool.options.max = places - count
  }

  async function check(): Promise<void> {
    const before = abandoned
    // While PostgreSQL does not answer, nothing is known and every place stays taken.
    const stuck = await countStuck().catch(() => places)
    // Those that were added during the check were not counted by it.
    set(Math.min(before, stuck) + abandoned - before)
    timer = abandoned > 0 ? setTimeout(check, CHECK_EVERY_MS).unref() : undefined
  }

  return {
    add() {
      set(Math.min(places, abandoned + 1))
      timer ??= setTimeout(check, CHECK_EVERY_MS).unref()
    },
    count: () => abandoned,
    close: () => clearTimeout(timer),
  }
}
