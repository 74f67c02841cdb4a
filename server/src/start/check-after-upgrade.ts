import type { CompanyPolicy } from '@deeb/core/account/company'
import { countMisplaced } from '../admin/companies.ts'
import { countWrongTotals } from '../admin/totals.ts'
import { type Db, statement } from '../db/db.ts'

/** Whether the last migration was applied to a database in use, a moment ago. */
const upgraded = statement(
  'start.upgraded',
  `select max(applied_at) > min(applied_at) and max(applied_at) > now() - interval '1 minute' as yes from schema_migrations`,
)

/** After an upgrade, compares totals with the sessions that they add up, and companies with the settings. Returns the lines for the log. */
export async function checkAfterUpgrade(db: Db, companyPolicy: () => Promise<CompanyPolicy>): Promise<string[]> {
  const [row] = await db.query<{ yes: boolean }>(upgraded)
  if (!row?.yes) return []
  const [totals, people] = [await countWrongTotals(db), await countMisplaced(db, await companyPolicy())]
  const lines = [
    ...(totals > 0 ? [`${totals} totals differ from their sessions: run totals rebuild.`] : []),
    ...(people > 0 ? [`${people} people have another company than the settings say: run companies check.`] : []),
  ]
  return lines.length > 0 ? lines : ['The upgrade is done: all totals and companies are right.']
}
