import { type Db, statement } from '../db/db.ts'

const lockProfile = statement('circles.lock-profile', 'select from profiles where id = :userId for update')

const lockCircles = statement(
  'circles.lock-circles-of',
  `select from circles where id in (select circle_id from circle_members where user_id = :userId) order by id for update`,
)

/**
 * Locks a profile and the circles of its user, before the user leaves all of them. So the next statement sees every other member.
 * Every caller locks a profile before circles and a circle before its members, which prevents deadlocks.
 */
export async function lockWithCircles(db: Db, userId: string): Promise<void> {
  await db.query(lockProfile, { userId })
  await db.query(lockCircles, { userId })
}
