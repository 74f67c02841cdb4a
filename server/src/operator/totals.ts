import type { Db } from '../db/db.ts'
import { correctTotals, findWrongTotals, type WrongTotal } from '../focus/check-totals.ts'

/** Whether all saved totals are what the sessions add up to. Throws a sentence with the differences if not. */
export async function checkTotals(db: Db): Promise<string[]> {
  const wrong = await findWrongTotals(db)
  if (wrong.length > 0) throw new Error([`${wrong.length} totals differ:`, ...wrong.map(line)].join('\n'))
  return ['All totals are what the sessions add up to.']
}

/** Puts the totals right that differ. */
export async function rebuildTotals(db: Db): Promise<string[]> {
  const wrong = await findWrongTotals(db)
  await correctTotals(db, wrong)
  return [`${wrong.length} totals were put right.`, ...wrong.map(line)]
}

function line({ userId, date, savedSeconds, sessionSeconds }: WrongTotal): string {
  return `  ${userId} ${date}: ${savedSeconds} s saved, ${sessionSeconds} s in sessions`
}
