import type { removeMember as endpoint } from '@deeb/core/circles/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Changed, keeperOf, withCircleLock } from './circle.ts'

const remove = statement(
  'circles.remove-member',
  `with kept as (
    select from circles where id = :circleId and :userId = ${keeperOf('circles.id')}
  ), gone as (
    delete from circle_members where circle_id = :circleId and user_id = :otherId and exists (select from kept)
    returning user_id
  )
  select exists (select from gone) as "isRemoved" from kept`,
)

/**
 * Ends the membership of another person in a circle that the actor keeps. Idempotent. Throws `not_found` for any other
 * circle. `members` is empty if nothing changed.
 */
export async function removeMember(
  db: Db,
  actor: Actor,
  { circleId, userId }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint> & Changed> {
  return withCircleLock(db, circleId, async (db, members) => {
    const values = { circleId, userId: actor.userId, otherId: userId }
    const [row] = await db.query<{ isRemoved: boolean }>(remove, values)
    if (!row) throw new Refusal('not_found')
    return { removed: true, members: row.isRemoved ? members : [] }
  })
}
