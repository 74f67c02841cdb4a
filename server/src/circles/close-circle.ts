import type { closeCircle as endpoint } from '@deeb/core/circles/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Changed, keeperOf, withCircleLock } from './circle.ts'

const close = statement(
  'circles.close',
  `delete from circles where id = :circleId and :userId = ${keeperOf('circles.id')} returning id`,
)

/** Deletes a circle that the actor keeps. Throws `not_found` for any other. */
export async function closeCircle(
  db: Db,
  { userId }: Actor,
  { circleId }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint> & Changed> {
  return withCircleLock(db, circleId, async (db, members) => {
    const gone = await db.query(close, { circleId, userId })
    if (gone.length === 0) throw new Refusal('not_found')
    return { closed: true, members }
  })
}
