import type { revokeCase as endpoint } from '@deeb/core/cases/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'

const revoke = statement('cases.revoke', 'delete from cases where id = :id and user_id = :userId')

/** Deletes a code of the actor. Any other one changes nothing. */
export async function revokeCase(
  db: Db,
  { userId }: Actor,
  { id }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  await db.query(revoke, { id, userId })
  return { revoked: true }
}
