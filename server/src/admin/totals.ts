import { type Db, statement } from '../db/db.ts'
import { correctSums, correctTotals, findWrongSums, findWrongTotals, type WrongTotal } from '../focus/check-totals.ts'

const marks = statement('admin.retention-marks', 'select sessions_from as "sessionsFrom" from retention_marks')

/** The number of saved totals that differ from the focus sessions that they sum up. */
export async function countWrongTotals(db: Db): Promise<number> {
  return (await findWrongTotals(db)).length + (await findWrongSums(db)).length
}

/** Compares all saved totals with the focus sessions that they sum up. Throws an error with the differences. */
export async function checkTotals(db: Db): Promise<string[]> {
  const wrong = [...(await findWrongTotals(db)).map(line), ...(await findWrongSums(db)).map(sumLine)]
  if (wrong.length > 0) {
    throw new Error([`${wrong.length} totals are wrong. Run \`totals rebuild\` to correct them:`, ...wrong].join('\n'))
  }
  const [mark] = await db.query<{ sessionsFrom: string }>(marks)
  return mark
    ? [`All totals from ${mark.sessionsFrom} on match the sessions. Older sessions are not kept; their totals are.`]
    : ['All totals match the sessions.']
}

/** Corrects the totals that differ from the focus sessions. The server may run at the same time. */
export async function rebuildTotals(db: Db): Promise<string[]> {
  const people = new Set((await findWrongTotals(db)).map(({ userId }) => userId))
  const totals = await correctTotals(db, [...people])
  const sums = await findWrongSums(db)
  await correctSums(db, sums)
  return [`Corrected ${totals.length + sums.length} totals.`, ...totals.map(line), ...sums.map(sumLine)]
}

function line({ userId, date, savedSeconds, sessionSeconds }: WrongTotal): string {
  return `  ${userId} ${date}: ${savedSeconds} s saved, ${sessionSeconds} s in sessions`
}

function sumLine(userId: string): string {
  return `  ${userId}: the sums for the average week`
}
