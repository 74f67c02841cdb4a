import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { revokeSign as endpoint } from '@deeb/core/signs/api'
import { keeperOf } from '../circles/circle.ts'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'

const revoke = statement(
  'signs.revoke',
  `delete from signs where id = :id and (user_id = :userId or circle_id is not null and :userId = ${keeperOf('signs.circle_id')})`,
)

/** Deletes a sign of the actor, or of a circle that the actor keeps. Any other one changes nothing. Publish the change. */
export async function revokeSign(
  db: Db,
  { userId }: Actor,
  { id }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  await db.query(revoke, { id, userId })
  return { revoked: true }
}
