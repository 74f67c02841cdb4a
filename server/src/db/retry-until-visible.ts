const MAX_RUNS = 5

/**
 * The row of a statement that may have to be run again. A statement that waited for another one to commit still reads
 * the data as it was before it waited, and may find neither its own row nor the other's; run again, it sees it.
 */
export async function retryUntilVisible<Row>(run: () => Promise<Row[]>): Promise<Row | undefined> {
  for (let look = 1; look < MAX_RUNS; look++) {
    const [row] = await run()
    if (row) return row
  }
  return (await run())[0]
}
