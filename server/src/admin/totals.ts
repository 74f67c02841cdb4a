import type { Db } from '../db/db.ts'
import { correctSums, correctTotals, findWrongSums, findWrongTotals, type WrongTotal } from '../focus/check-totals.ts'

/** Whether all saved totals are what the sessions add up to. Throws a sentence with the differences if not. */
export async function checkTotals(db: Db): Promise<string[]> {
  const wrong = [...(await findWrongTotals(db)).map(line), ...(await findWrongSums(db)).map(sumLine)]
  if (wrong.length > 0) throw new Error([`${wrong.length} totals differ:`, ...wrong].join('\n'))
  return ['All totals are what the sessions add up to.']
}

/** Puts the totals right that differ. People may switch meanwhile. */
export async function rebuildTotals(db: Db): Promise<string[]> {
  const people = new Set((await findWrongTotals(db)).map(({ userId }) => userId))
  const totals = await correctTotals(db, [...people])
  const sums = await findWrongSums(db)
  await correctSums(db, sums)
  return [`${totals.length + sums.length} totals were put right.`, ...totals.map(line), ...sums.map(sumLine)]
}

function line({ userId, date, savedSeconds, sessionSeconds }: WrongTotal): string {
  return `  ${userId} ${date}: ${savedSeconds} s saved, ${sessionSeconds} s in sessions`
}

function sumLine(userId: string): string {
  return `  ${userId}: the sums for the average week`
}
