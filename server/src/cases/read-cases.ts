import type { readCases as endpoint } from '@deeb/core/cases/api'
import type { OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'

const read = statement('cases.read', 'select id, since from cases where user_id = :userId order by since desc, id')

/** The codes of the actor, newest first. */
export async function readCases(db: Db, { userId }: Actor): Promise<OutputOf<typeof endpoint>> {
  const rows = await db.query<{ id: string; since: Date }>(read, { userId })
  return { cases: rows.map(({ id, since }) => ({ id, since: since.toISOString() })) }
}
