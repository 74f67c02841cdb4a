import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { testStatus as endpoint } from '@deeb/core/status/api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

const TEST_MS = 60_000

const test = statement(
  'status.test',
  `update status_links set test_until = :testUntil
  where user_id = :userId and system = :system and credentials is not null returning id`,
)

/** Sets the status for one minute. In deeb mode it is set anyway. Throws `not_found` if the system is not connected. */
export async function testStatus(
  db: Db,
  { userId }: Actor,
  { system }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const testUntil = new Date(now.getTime() + TEST_MS)
  const [link] = await db.query(test, { userId, system, testUntil })
  if (!link) throw new Refusal('not_found')
  return { testUntil: testUntil.toISOString() }
}
