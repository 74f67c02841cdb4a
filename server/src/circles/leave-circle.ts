import type { leaveCircle as endpoint } from '@deeb/core/circles/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { type Changed, withCircleLock } from './circle.ts'

const leave = statement(
  'circles.leave',
  'delete from circle_members where circle_id = :circleId and user_id = :userId returning user_id',
)

/** Ends the membership of the actor. The database deletes an empty circle. Idempotent. `members` is empty if nothing changed. */
export async function leaveCircle(
  db: Db,
  { userId }: Actor,
  { circleId }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint> & Changed> {
  return withCircleLock(db, circleId, async (db, members) => {
    const gone = await db.query(leave, { circleId, userId })
    return { left: true, members: gone.length > 0 ? members : [] }
  })
}
