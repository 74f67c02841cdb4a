import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { updateStatus as endpoint } from '@deeb/core/status/api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

const update = statement(
  'status.update',
  `update status_links set is_on = :isOn, with_dnd = :withDnd, words = :words, changed_at = :now
  where user_id = :userId and system = :system returning id`,
)

/** Sets whether and how the status is set. Throws `not_found` if the system is not connected. Idempotent. */
export async function updateStatus(
  db: Db,
  { userId }: Actor,
  { system, isOn, withDnd, words }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const [link] = await db.query(update, { userId, system, isOn, withDnd, words, now })
  if (!link) throw new Refusal('not_found')
  return { system }
}
