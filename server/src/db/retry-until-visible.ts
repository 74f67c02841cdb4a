const MAX_RUNS = 5

/**
 * Runs a statement until it returns a row, up to five times. A statement that waited for a lock still sees its old snapshot
 * (READ COMMITTED), so it may miss its own row and that of the other transaction. The next run sees both.
 */
export async function retryUntilVisible<Row>(run: () => Promise<Row[]>): Promise<Row | undefined> {
  for (let count = 1; count < MAX_RUNS; count++) {
    const [row] = await run()
    if (row) return row
  }
  return (await run())[0]
}
