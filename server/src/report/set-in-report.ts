import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { setInReport as endpoint } from '@deeb/core/report/api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'

const update = statement('report.set-in-report', 'update profiles set in_report = :inReport where id = :userId')

/** Counts the actor in the weeks of the company that are not counted yet, or not. Idempotent. */
export async function setInReport(
  db: Db,
  actor: Actor,
  { inReport }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  await db.query(update, { userId: actor.userId, inReport })
  return { inReport }
}
