import { type Db, statement } from '../db/db.ts'

const lock = statement('focus.lock-person', 'select from profiles where id = :userId for no key update')

/**
 * Serializes corrections and replays per user with a row lock, held until the transaction ends. Take it first. A plain
 * start or stop does not take it: constraints decide between the two.
 */
export async function lockProfile(db: Db, userId: string): Promise<void> {
  await db.query(lock, { userId })
}
