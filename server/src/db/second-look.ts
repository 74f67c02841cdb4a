/**
 * The row of a statement that may have to be run twice. A statement that waited for another one to commit still reads
 * the data as it was before it waited, and may find neither its own row nor the other's; run again, it sees it.
 */
export async function seenOnSecondLook<Row>(run: () => Promise<Row[]>): Promise<Row | undefined> {
  const [row] = await run()
  return row ?? (await run())[0]
}
