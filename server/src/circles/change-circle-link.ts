import type { changeCircleLink as endpoint } from '@deeb/core/circles/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Changed, keeperOf, makeInvite, withCircleLock } from './circle.ts'

const change = statement(
  'circles.change-link',
  `update circles set invite = :invite where id = :circleId and :userId = ${keeperOf('circles.id')} returning id`,
)

/** Gives a circle that the actor keeps a new link, or none. Throws `not_found` for any other circle. */
export async function changeCircleLink(
  db: Db,
  { userId }: Actor,
  { circleId, isOpen }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint> & Changed> {
  const invite = isOpen ? makeInvite() : null
  return withCircleLock(db, circleId, async (db, members) => {
    const changed = await db.query(change, { circleId, userId, invite })
    if (changed.length === 0) throw new Refusal('not_found')
    return { invite, members }
  })
}
