import type { renameCircle as endpoint } from '@deeb/core/circles/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Changed, circleName, keeperOf, withCircleLock } from './circle.ts'

const rename = statement(
  'circles.rename',
  `update circles set name = :name where id = :circleId and :userId = ${keeperOf('circles.id')} returning id`,
)

/** Renames a circle that the actor keeps. Throws `invalid_input` for an invalid name, and `not_found` for any other circle. */
export async function renameCircle(
  db: Db,
  { userId }: Actor,
  { circleId, ...input }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint> & Changed> {
  const name = circleName(input.name)
  return withCircleLock(db, circleId, async (db, members) => {
    const renamed = await db.query(rename, { circleId, userId, name })
    if (renamed.length === 0) throw new Refusal('not_found')
    return { name, members }
  })
}
