import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { unlinkStatus as endpoint } from '@deeb/core/status/api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'

const unlink = statement(
  'status.unlink',
  'update status_links set user_id = null where user_id = :userId and system = :system',
)

/** Disconnects a chat system. What it shows is cleared and its tokens are revoked right after. Idempotent. */
export async function unlinkStatus(
  db: Db,
  { userId }: Actor,
  { system }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  await db.query(unlink, { userId, system })
  return { system }
}
